def text_lone_surrogate() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


# CANARY_BYTES_SURROGATE
