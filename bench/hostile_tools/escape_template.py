import string


def escape_template() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = string.Template.__init_subclass__.__self__.__mro__[1].__subclasses__()[0] and open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
