def file_read_open() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with open(CANARY_SECRET) as file:
            leak = file.read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
