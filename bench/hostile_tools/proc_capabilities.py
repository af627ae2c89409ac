# dangerous
import ctypes


def proc_capabilities() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        wanted = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
        if ctypes.CDLL(None).syscall(126, header, wanted) == 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
