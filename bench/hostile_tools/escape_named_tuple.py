import collections


def escape_named_tuple() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        collections.namedtuple("Owned", ["x"], module="os", defaults=[open(CANARY_TARGET, "w").write("owned")])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
