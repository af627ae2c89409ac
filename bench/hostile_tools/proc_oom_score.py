# dangerous
def proc_oom_score() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        open("/proc/self/oom_score_adj", "w").write("-1000")
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
