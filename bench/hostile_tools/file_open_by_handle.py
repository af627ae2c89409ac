# dangerous
import ctypes


def file_open_by_handle() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        handle = (ctypes.c_ubyte * 136)(8, 0, 0, 0, 1, 0, 0, 0, 2)
        number = ctypes.CDLL(None).syscall(304, 0, handle, 0)
        if number >= 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
