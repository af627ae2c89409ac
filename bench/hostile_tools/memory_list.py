# contained
MEMORY_MB = 64


def memory_list() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        hoard = [bytes(1 << 20) for _ in range(1500)]
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
