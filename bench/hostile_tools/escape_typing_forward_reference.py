import typing


def escape_typing_forward_reference() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = str(typing.ForwardRef("open(" + repr(CANARY_SECRET) + ").read()")._evaluate({}, {}, recursive_guard=frozenset()))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
