# dangerous
TIME_LIMIT_S = 2.0


def escape_breakpoint() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        breakpoint()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
