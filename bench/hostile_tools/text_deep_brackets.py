def text_deep_brackets() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_DEEP = CANARY_DEEP_BRACKETS
