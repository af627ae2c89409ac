def text_deep_attributes() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_DEEP = CANARY_DEEP_ATTRIBUTES
