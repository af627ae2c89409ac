def move_head_() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
