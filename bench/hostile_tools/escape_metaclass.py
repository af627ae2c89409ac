def escape_metaclass() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        class _Meta(type):
            def __getitem__(cls, path):
                return open(path).read()
        class _Reader(metaclass=_Meta):
            pass
        leak = _Reader[CANARY_SECRET]
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
