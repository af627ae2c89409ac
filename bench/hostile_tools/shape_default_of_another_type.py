def shape_default_of_another_type(one: int = "many") -> dict:
    """Tells the answer.

    Args:
        one: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
