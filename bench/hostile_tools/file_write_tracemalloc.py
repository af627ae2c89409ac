import tracemalloc


def file_write_tracemalloc() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        tracemalloc.start()
        tracemalloc.take_snapshot().dump(CANARY_TARGET)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
