def very_long_name_very_long_name_very_long_name_very_long_name_very_long_name_very_long_name_very_long_name() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
