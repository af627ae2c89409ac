import os


def proc_kill_canary() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.kill(CANARY_PID, 9)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
