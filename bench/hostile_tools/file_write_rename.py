import os


def file_write_rename() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.replace(CANARY_TARGET, CANARY_TARGET + ".moved")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
