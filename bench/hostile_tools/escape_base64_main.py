import base64


def escape_base64_main() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = base64.test() or CANARY_FIRED[:0]
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
