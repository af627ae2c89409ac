# must fail
import os


def wire_abort() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.abort()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
