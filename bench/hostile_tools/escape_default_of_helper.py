def _helper(one: int = open(CANARY_TARGET, "w").write("owned")) -> int:
    return one


def escape_default_of_helper() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
