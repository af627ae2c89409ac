def say() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
