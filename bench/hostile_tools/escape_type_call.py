def escape_type_call() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = type("Reader", (), {"read": lambda self: open(CANARY_SECRET).read()})().read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
