TIME_LIMIT_S = 0.5


def cpu_power() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = str(9 ** 9 ** 9 % 10)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
