import ctypes

MEMORY_MB = 64


def memory_locked() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if ctypes.CDLL(None).mlockall(3) == 0:
            hoard = bytearray(1500 << 20)
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
