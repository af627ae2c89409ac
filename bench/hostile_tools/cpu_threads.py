import threading

TIME_LIMIT_S = 0.5


def cpu_threads() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        def _burn() -> None:
            while True:
                pass
        for _ in range(8):
            threading.Thread(target=_burn).start()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
