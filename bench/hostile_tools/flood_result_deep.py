# must fail
def flood_result_deep() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    nested: list = []
    for _ in range(500):
        nested = [nested]
    return {"answer": 42, "rest": nested}
