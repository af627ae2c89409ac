# dangerous
def file_write_dev_shm() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        open("/dev/shm/" + CANARY_MARK, "w").write("owned")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
