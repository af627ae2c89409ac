def text_deep_blocks() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


CANARY_DEEP_BLOCKS
