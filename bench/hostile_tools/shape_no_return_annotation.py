def shape_no_return_annotation():
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
