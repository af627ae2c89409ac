import itertools

TIME_LIMIT_S = 0.5


def cpu_membership() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        -1 in itertools.count()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
