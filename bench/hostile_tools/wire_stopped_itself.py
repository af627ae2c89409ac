import os
import time

TIME_LIMIT_S = 0.5


def wire_stopped_itself() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.kill(os.getpid(), 19)
        while True:
            time.sleep(1.0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
