TIME_LIMIT_S = 2.0


def escape_input() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = input("password? ")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
