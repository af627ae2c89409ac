def text_deep_f_strings() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_DEEP = CANARY_DEEP_F_STRINGS
