import glob
import os


def net_dds_shared_memory_remove() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for path in glob.glob("/dev/shm/fastdds_" + CANARY_SHM + "*"):
            os.unlink(path)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
