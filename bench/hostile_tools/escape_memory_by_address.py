import ctypes


def escape_memory_by_address() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        ctypes.memset(id(1), 0, 64)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
