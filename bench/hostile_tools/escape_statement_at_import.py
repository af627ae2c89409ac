open(CANARY_TARGET, "w").write("owned")


def escape_statement_at_import() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
