def fake_not_a_number() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": float("nan")}
