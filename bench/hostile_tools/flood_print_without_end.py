# contained
TIME_LIMIT_S = 1.0


def flood_print_without_end() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            print("x", end="")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
