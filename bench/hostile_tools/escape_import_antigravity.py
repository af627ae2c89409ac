import antigravity


def escape_import_antigravity() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = ""
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
