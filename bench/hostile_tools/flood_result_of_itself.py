# must fail
def flood_result_of_itself() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    result: dict = {"answer": 42}
    result["again"] = result
    return result
