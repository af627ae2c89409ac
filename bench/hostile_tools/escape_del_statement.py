def escape_del_statement() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if True:
            len = 1
            del len
        leak = open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
