import os


def file_write_mkdir() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.mkdir(CANARY_FOLDER + "/owned")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
