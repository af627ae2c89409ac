def text_overlong() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


# CANARY_BYTES_OVERLONG
