TIME_LIMIT_S = 1.0
MEMORY_MB = 64


def memory_retried() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        hoard = []
        while True:
            try:
                hoard.append(bytes(1 << 22))
            except MemoryError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
