import os


def file_write_fifo() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.mkfifo(CANARY_FOLDER + "/fifo")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
