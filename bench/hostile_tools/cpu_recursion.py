# contained
def cpu_recursion() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        def _again(number: int) -> int:
            return _again(number + 1)
        _again(0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
