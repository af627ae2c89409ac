import logging


def file_write_logging() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        logging.FileHandler(CANARY_FOLDER + "/owned.log").emit(logging.makeLogRecord({"msg": "owned"}))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
