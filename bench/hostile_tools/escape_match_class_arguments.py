def escape_match_class_arguments() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        class _Reader:
            __match_args__ = ("__init__",)
        match _Reader():
            case _Reader(found):
                leak = found.__class__ and open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
