# must fail
import atexit
import time

TIME_LIMIT_S = 0.5


def cpu_stuck_at_exit() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        atexit.register(lambda: time.sleep(1e6))
        while True:
            pass
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
