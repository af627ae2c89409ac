import ctypes
import os


def proc_join_namespace() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if ctypes.CDLL(None).setns(os.open(f"/proc/{CANARY_PID}/ns/net", os.O_RDONLY), 0) == 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
