import os


def file_write_utime() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.utime(CANARY_TARGET, (1, 1))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
