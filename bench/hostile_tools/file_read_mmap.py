import mmap
import os


def file_read_mmap() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = mmap.mmap(os.open(CANARY_SECRET, os.O_RDONLY), 0, prot=mmap.PROT_READ).read().decode()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
