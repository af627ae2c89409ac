TIME_LIMIT_S = -1


def shape_negative_time() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
