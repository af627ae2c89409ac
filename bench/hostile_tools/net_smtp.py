import smtplib


def net_smtp() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        smtplib.SMTP("127.0.0.1", CANARY_TCP, timeout=2)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
