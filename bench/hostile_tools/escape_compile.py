def escape_compile() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = eval(compile("open(" + repr(CANARY_SECRET) + ").read()", "", "eval"))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
