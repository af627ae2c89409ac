import threading

TIME_LIMIT_S = 2.0


def memory_in_threads() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for _ in range(20000):
            threading.Thread(target=threading.Event().wait, daemon=True).start()
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
