def text_giant_string() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_DEEP = "CANARY_GIANT_TEXT"
