def _hidden_tool() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
