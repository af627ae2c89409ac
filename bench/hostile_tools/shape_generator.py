def shape_generator() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    yield {"answer": 42}
