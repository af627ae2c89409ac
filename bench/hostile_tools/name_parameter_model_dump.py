def name_parameter_model_dump(model_dump: int = 1) -> dict:
    """Tells the answer.

    Args:
        model_dump: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
