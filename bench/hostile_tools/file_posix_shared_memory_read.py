from multiprocessing import shared_memory


def file_posix_shared_memory_read() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = bytes(shared_memory.SharedMemory(CANARY_SHM).buf).decode(errors="replace")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
