if True:
    def shape_conditional() -> dict:
        """Tells the answer.

    Returns:
        The answer.
    """
        return {"answer": 42}
