import typing


def escape_match_value() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        match 1:
            case typing.sys.maxsize:
                leak = ""
            case _:
                leak = typing.sys.modules["builtins"].open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
