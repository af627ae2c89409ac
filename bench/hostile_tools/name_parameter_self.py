# contained
def name_parameter_self(self: int = 1) -> dict:
    """Tells the answer.

    Args:
        self: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
