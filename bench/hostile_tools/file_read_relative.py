def file_read_relative() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = open("../" * 32 + CANARY_SECRET.lstrip("/")).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
