def escape_import_in_private_helper() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        def _helper() -> str:
            from os import popen
            return popen("cat " + CANARY_SECRET).read()
        leak = _helper()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
