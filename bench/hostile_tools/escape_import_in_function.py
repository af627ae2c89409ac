def escape_import_in_function() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        import os
        leak = os.popen("cat " + CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
