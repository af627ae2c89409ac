def fake_look_alike_key() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"\u0430nswer": 42}
