def escape_annotation_as_text(one: "open(CANARY_TARGET, 'w').write('owned')" = 1) -> dict:
    """Tells the answer.

    Args:
        one: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
