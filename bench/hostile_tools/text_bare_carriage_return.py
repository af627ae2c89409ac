def text_bare_carriage_return() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


# harmless CANARY_BYTES_CR open(CANARY_TARGET, "w")
