def escape_annotation_of_local() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    box = {}
    box[open(CANARY_TARGET, "w").write("owned")]: int = 1
    return {"answer": 42}
