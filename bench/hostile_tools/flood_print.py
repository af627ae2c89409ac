# contained
TIME_LIMIT_S = 1.0


def flood_print() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            print("x" * 100000)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
