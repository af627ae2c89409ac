TIME_LIMIT_S = 0.5


def cpu_finally_loop() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            try:
                1 / 0
            finally:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
