def shape_docstring_of_other_arguments(one: int = 1) -> dict:
    """Tells the answer.

    Args:
        two: Another.

    Returns:
        The answer.
    """
    return {"answer": 42}
