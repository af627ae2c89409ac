def escape_builtins_name() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = (__builtins__ if isinstance(__builtins__, dict) else vars(__builtins__))["open"](CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
