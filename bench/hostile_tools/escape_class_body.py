class _Thing:
    open(CANARY_TARGET, "w").write("owned")


def escape_class_body() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
