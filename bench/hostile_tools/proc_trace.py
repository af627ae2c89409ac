import ctypes


def proc_trace() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        libc = ctypes.CDLL(None)
        if libc.ptrace(16, CANARY_PID, None, None) == 0:
            libc.ptrace(17, CANARY_PID, None, None)
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
