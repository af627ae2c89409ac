_LIMIT: open(CANARY_TARGET, "w").write("owned") = 1


def escape_annotation_of_constant() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
