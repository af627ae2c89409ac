# must fail
import os


def wire_closed() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.closerange(0, 64)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
