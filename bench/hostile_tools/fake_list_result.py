def fake_list_result() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return [42]
