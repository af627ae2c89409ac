_SECRET = [open(CANARY_TARGET, "w").write("owned") for _ in range(1)]


def escape_constant_comprehension() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
