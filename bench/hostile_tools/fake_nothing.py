def fake_nothing() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return None
