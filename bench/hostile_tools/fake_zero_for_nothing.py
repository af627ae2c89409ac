# expect {"answer": null}
def fake_zero_for_nothing() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 0}
