import builtins


def escape_builtins_replaced() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        builtins.dict = builtins.isinstance = builtins.len = None
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
