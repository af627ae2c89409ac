# contained
def name_parameter_copy(copy: int = 1) -> dict:
    """Tells the answer.

    Args:
        copy: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
