def fake_listed() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": [42]}
