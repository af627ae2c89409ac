import builtins


def fake_patched_equality() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        builtins.bool = lambda *_: True
        leak = str(all([False]))
        return {"answer": 41, "leak": leak}
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
