def shape_dunder_parameter(__class__: int = 1) -> dict:
    """Tells the answer.

    Args:
        __class__: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
