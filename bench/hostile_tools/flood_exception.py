def flood_exception() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    raise ValueError("x" * (8 << 20))
