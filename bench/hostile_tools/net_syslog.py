import logging.handlers


def net_syslog() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        logging.handlers.SysLogHandler(("127.0.0.1", CANARY_UDP)).emit(logging.makeLogRecord({"msg": "owned"}))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
