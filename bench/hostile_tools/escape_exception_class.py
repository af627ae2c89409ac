def escape_exception_class() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        class _Reader(Exception):
            __add__ = lambda self, path: open(path).read()
        try:
            raise _Reader
        except _Reader as error:
            leak = error + CANARY_SECRET
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
