TIME_LIMIT_S = 0.5


def cpu_swallowed_exceptions() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
