def _read(function: object) -> object:
    open(CANARY_TARGET, "w").write("owned")
    return function


@_read
def escape_decorator() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    return {"answer": 42}
