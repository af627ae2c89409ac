import linecache


def file_read_linecache() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = "".join(linecache.getlines(CANARY_SECRET))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
