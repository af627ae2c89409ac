# contained
def shape_docstring_without_returns() -> dict:
    """Tells the answer."""
    return {"answer": 42}
