def name_parameter_model_post_init(model_post_init: int = 1) -> dict:
    """Tells the answer.

    Args:
        model_post_init: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
