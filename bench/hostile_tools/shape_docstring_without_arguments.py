def shape_docstring_without_arguments(one: int = 1) -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
