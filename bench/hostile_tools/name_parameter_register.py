# contained
def name_parameter_register(register: int = 1) -> dict:
    """Tells the answer.

    Args:
        register: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
