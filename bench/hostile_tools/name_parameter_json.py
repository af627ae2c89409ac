# contained
def name_parameter_json(json: int = 1) -> dict:
    """Tells the answer.

    Args:
        json: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
