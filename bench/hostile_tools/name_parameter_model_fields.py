def name_parameter_model_fields(model_fields: int = 1) -> dict:
    """Tells the answer.

    Args:
        model_fields: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
