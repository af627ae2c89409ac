def escape_globals() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = globals()["__builtins__"]
        leak = (leak if isinstance(leak, dict) else vars(leak))["open"](CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
