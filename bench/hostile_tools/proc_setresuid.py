# dangerous
import ctypes


def proc_setresuid() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if ctypes.CDLL(None).setresuid(0, 0, 0) == 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
