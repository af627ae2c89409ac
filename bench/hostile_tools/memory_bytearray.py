# contained
MEMORY_MB = 64


def memory_bytearray() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        hoard = bytearray(b"1") * (1500 << 20)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
