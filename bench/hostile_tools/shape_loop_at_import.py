while True:
    pass


def shape_loop_at_import() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
