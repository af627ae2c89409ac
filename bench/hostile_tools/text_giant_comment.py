def text_giant_comment() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


# CANARY_GIANT_TEXT
