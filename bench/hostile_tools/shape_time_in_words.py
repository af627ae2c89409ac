TIME_LIMIT_S = "for ever"


def shape_time_in_words() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
