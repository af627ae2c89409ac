def name_parameter_model_config(model_config: int = 1) -> dict:
    """Tells the answer.

    Args:
        model_config: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
