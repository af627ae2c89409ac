def fake_keys_that_collide() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42, ("answer",): 41}
