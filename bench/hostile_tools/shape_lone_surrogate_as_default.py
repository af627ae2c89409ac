def shape_lone_surrogate_as_default(one: str = "\ud800") -> dict:
    """Tells the answer.

    Args:
        one: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
