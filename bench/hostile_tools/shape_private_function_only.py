def _shape_private_function_only() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
