def text_giant_integer() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_DEEP = CANARY_GIANT_INTEGER
