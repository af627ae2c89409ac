def escape_function_globals() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        def _plain() -> None:
            pass
        leak = _plain.__globals__["__builtins__"]
        leak = (leak if isinstance(leak, dict) else leak.__dict__)["open"](CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
