def escape_annotation_of_return() -> dict[str, open(CANARY_TARGET, "w").write("owned")]:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
