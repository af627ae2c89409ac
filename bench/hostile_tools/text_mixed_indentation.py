def text_mixed_indentation() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
	return {"answer": 42}
