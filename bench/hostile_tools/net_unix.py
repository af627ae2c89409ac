import socket


def net_unix() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        socket.socket(socket.AF_UNIX).connect(CANARY_UNIX)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
