import ctypes


def proc_aio() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        context = ctypes.c_ulong(0)
        if ctypes.CDLL(None).syscall(206, 8, ctypes.byref(context)) == 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
