# dangerous
def proc_core_pattern() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        open("/proc/sys/kernel/core_pattern", "w").write("|/bin/true")
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
