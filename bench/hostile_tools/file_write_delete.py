import os


def file_write_delete() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.unlink(CANARY_TARGET)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
