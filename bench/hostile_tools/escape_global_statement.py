def escape_global_statement() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        global __builtins__
        leak = str(__builtins__["open"](CANARY_SECRET).read() if isinstance(__builtins__, dict) else __builtins__.open(CANARY_SECRET).read())
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
