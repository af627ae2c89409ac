def text_not_utf8() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


# CANARY_BYTES_LATIN
