import typing


def escape_getattr_mapped() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = next(map(getattr, [typing], ["sys"])).modules["builtins"].open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
