# must fail
def wire_lone_surrogate() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": "\ud800"}
