import os


def proc_priority_of_canary() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.setpriority(os.PRIO_PROCESS, CANARY_PID, 19)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
