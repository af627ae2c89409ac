import configparser


def file_read_configparser() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        configparser.ConfigParser().read_string(open(CANARY_SECRET).read())
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
