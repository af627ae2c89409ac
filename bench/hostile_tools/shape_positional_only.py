def shape_positional_only(one: int = 1, /) -> dict:
    """Tells the answer.

    Args:
        one: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
