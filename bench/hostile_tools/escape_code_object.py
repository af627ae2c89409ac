import types


def escape_code_object() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = types.FunctionType((lambda: open(CANARY_SECRET).read()).__code__, {"open": open})()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
