import ctypes


def proc_clone3() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if ctypes.CDLL(None).syscall(435, bytes(88), 88) == 0:
            ctypes.CDLL(None)._exit(0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
