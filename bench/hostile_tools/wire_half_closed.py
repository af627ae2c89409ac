# must fail
import os
import time

TIME_LIMIT_S = 0.5


def wire_half_closed() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.closerange(0, 64)
        time.sleep(1e6)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
