import shelve


def file_write_shelve() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        shelve.open(CANARY_FOLDER + "/owned-shelf").close()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
