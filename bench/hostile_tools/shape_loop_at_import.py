TIME_LIMIT_S = 0.5

while True:
    pass


def shape_loop_at_import() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
