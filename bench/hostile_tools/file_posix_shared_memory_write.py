import os


def file_posix_shared_memory_write() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        number = os.open("/dev/shm/" + CANARY_SHM, os.O_RDWR)
        os.pwrite(number, b"owned", 0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
