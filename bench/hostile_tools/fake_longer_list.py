# expect {"answer": [1, 2]}
def fake_longer_list() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": [1, 2, 3]}
