def escape_class_getitem() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        class _Opener:
            __class_getitem__ = open
        leak = _Opener[CANARY_SECRET].read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
