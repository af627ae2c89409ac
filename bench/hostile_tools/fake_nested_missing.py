# expect {"answer": {"value": 42, "unit": "m"}}
def fake_nested_missing() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": {"value": 42}}
