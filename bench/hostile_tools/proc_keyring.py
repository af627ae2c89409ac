import ctypes


def proc_keyring() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if ctypes.CDLL(None).syscall(248, b"user", b"owned", b"1", 1, -1) >= 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
