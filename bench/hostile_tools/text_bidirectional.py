def text_bidirectional() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


# CANARY_BYTES_BIDI
