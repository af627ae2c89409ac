import time

TIME_LIMIT_S = 0.5


def cpu_sleep() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            time.sleep(1e6)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
