import ftplib


def net_ftp() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        ftplib.FTP().connect("127.0.0.1", CANARY_TCP, timeout=2)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
