def shape_redefined_by_constant() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}


shape_redefined_by_constant = 1
