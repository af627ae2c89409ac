TIME_LIMIT_S = 1e12


def shape_endless_time() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
