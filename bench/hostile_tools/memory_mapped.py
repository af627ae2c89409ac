import mmap

MEMORY_MB = 64


def memory_mapped() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        page = mmap.mmap(-1, 1500 << 20)
        for place in range(0, 1500 << 20, 4096):
            page[place] = 1
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
