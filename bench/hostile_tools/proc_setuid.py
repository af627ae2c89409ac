# dangerous
import os


def proc_setuid() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.setuid(0)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
