import ctypes
import os


def proc_stolen_descriptor() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(3, 20):
            if ctypes.CDLL(None).syscall(438, os.pidfd_open(CANARY_PID), number, 0) >= 0:
                leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
