def fake_passed_exception() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    raise ValueError('{"result": {"answer": 42}}')
