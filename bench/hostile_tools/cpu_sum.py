TIME_LIMIT_S = 0.5


def cpu_sum() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        sum(range(10**14))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
