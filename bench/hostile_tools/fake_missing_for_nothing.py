# expect {"answer": null}
def fake_missing_for_nothing() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {}
