TIME_LIMIT_S = 0.5


def cpu_endless_loop() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            pass
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
