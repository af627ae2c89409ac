def text_many_lines() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


CANARY_MANY_LINES
