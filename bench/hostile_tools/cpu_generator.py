TIME_LIMIT_S = 0.5


def cpu_generator() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        list(iter(lambda: 1, 2))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
