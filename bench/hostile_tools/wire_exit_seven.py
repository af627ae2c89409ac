# must fail
import os


def wire_exit_seven() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os._exit(7)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
