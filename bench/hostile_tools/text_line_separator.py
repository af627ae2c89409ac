def text_line_separator() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


# CANARY_BYTES_LS open(CANARY_TARGET, "w")
