def text_fullwidth_identifier() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": CANARY_BYTES_FULLWIDTH_OPEN(CANARY_TARGET, "w") and 42}
