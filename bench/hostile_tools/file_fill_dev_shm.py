# dangerous
def file_fill_dev_shm() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(400):
            open(f"/dev/shm/{number}", "wb").write(bytes(1 << 20))
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
