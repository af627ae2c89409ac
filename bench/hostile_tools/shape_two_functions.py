def shape_two_functions() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


def second() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
