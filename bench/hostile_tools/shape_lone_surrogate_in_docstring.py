def shape_lone_surrogate_in_docstring() -> dict:
    """Tells the answer \ud800.

    Returns:
        The answer.
    """
    return {"answer": 42}
