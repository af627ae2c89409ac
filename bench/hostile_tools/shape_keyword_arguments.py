def shape_keyword_arguments(**options: int) -> dict:
    """Tells the answer.

    Args:
        options: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
