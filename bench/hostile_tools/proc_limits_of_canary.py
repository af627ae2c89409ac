import resource


def proc_limits_of_canary() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        resource.prlimit(CANARY_PID, resource.RLIMIT_NOFILE, (16, 16))
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
