import ctypes


def proc_filter_notifier() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        program = (ctypes.c_uint64 * 2)(1, ctypes.addressof((ctypes.c_uint64 * 1)(0x7FFF000000000006)))
        if ctypes.CDLL(None).syscall(317, 1, 8, program) >= 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
