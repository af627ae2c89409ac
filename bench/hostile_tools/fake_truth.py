# expect {"answer": 1}
def fake_truth() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": True}
