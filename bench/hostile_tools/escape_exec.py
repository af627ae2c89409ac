def escape_exec() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        found: dict = {}
        exec("leak = open(" + repr(CANARY_SECRET) + ").read()", found)
        leak = found["leak"]
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
