# must fail
import os


def wire_exit_zero() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os._exit(0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
