def mоve_head() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
