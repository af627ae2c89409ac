def text_bidirectional_in_text() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_NOTE = "CANARY_BYTES_BIDI"
