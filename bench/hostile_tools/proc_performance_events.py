import ctypes


def proc_performance_events() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        events = (ctypes.c_uint32 * 32)(1, 128)
        if ctypes.CDLL(None).syscall(298, events, 0, -1, -1, 0) >= 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
