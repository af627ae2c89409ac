# dangerous
def file_fill_inodes() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(200000):
            open(f"/tmp/inode-{number}", "wb").close()
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
