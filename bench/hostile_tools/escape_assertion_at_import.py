assert open(CANARY_TARGET, "w").write("owned")


def escape_assertion_at_import() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
