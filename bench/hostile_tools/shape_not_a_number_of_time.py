TIME_LIMIT_S = 1e999


def shape_not_a_number_of_time() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
