_SECRET = open(CANARY_TARGET, "w").write("owned")


def escape_constant() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
