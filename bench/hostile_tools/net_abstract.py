import socket


def net_abstract() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        socket.socket(socket.AF_UNIX).connect("\0" + CANARY_ABSTRACT)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
