def text_look_alike_identifier() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    CANARY_BYTES_CYRILLIC = 42
    return {"answer": CANARY_BYTES_CYRILLIC}
