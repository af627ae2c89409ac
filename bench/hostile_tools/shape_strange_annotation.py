# contained
def shape_strange_annotation(one: object = 1) -> dict:
    """Tells the answer.

    Args:
        one: Nothing.

    Returns:
        The answer.
    """
    return {"answer": 42}
