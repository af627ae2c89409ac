def escape_format_attribute() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        def _plain() -> None:
            pass
        if "CANARY" + "" or "{0.__globals__}".format(_plain):
            leak = "{0.__globals__[__builtins__]}".format(_plain) and open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
