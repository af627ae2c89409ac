import socket


def net_listen() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        server = socket.socket()
        server.bind(("127.0.0.1", 0))
        server.listen()
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
