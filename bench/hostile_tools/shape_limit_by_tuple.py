(TIME_LIMIT_S, MEMORY_MB) = (1e12, 10**9)


def shape_limit_by_tuple() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
