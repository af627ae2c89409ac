def shape_computed_default(one: int = len("x")) -> dict:
    """Tells the answer.

    Args:
        one: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
