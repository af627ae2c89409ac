# dangerous
import time


def proc_clock() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        time.clock_settime(time.CLOCK_REALTIME, time.time())
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
