import dataclasses


def escape_dataclass() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        dataclasses.make_dataclass("Owned", [("x", "open(" + repr(CANARY_TARGET) + ", 'w').write('owned')")])
        leak = dataclasses.sys.modules["builtins"].open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
