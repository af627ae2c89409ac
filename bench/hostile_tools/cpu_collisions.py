TIME_LIMIT_S = 0.5


def cpu_collisions() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        {number * (2**61 - 1) for number in range(10**6)}
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
