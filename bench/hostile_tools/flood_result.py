# must fail
def flood_result() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42, "rest": "x" * (8 << 20)}
