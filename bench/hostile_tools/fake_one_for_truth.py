# expect {"answer": true}
def fake_one_for_truth() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 1}
