def escape_bytecode() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        def _plain() -> str:
            return "plain"
        _plain.__code__ = _plain.__code__.replace(co_code=bytes(len(_plain.__code__.co_code)))
        _plain()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
