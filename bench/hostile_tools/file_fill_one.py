# dangerous
def file_fill_one() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with open("/tmp/full", "wb") as file:
            for _ in range(400):
                file.write(bytes(1 << 20))
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
