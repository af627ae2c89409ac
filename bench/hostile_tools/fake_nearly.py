def fake_nearly() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42.001}
