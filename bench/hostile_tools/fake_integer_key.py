# expect {"1": 42}
# contained
def fake_integer_key() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {1: 42}
