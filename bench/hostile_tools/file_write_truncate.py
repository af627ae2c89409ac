import os


def file_write_truncate() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.truncate(CANARY_TARGET, 0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
