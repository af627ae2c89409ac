import ctypes


def file_system_v_shared_memory_write() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        libc = ctypes.CDLL(None)
        libc.shmat.restype = ctypes.c_void_p
        place = libc.shmat(libc.shmget(CANARY_KEY, 0, 0), None, 0)
        if place and place < 1 << 63:
            ctypes.memmove(place, b"owned", 5)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
