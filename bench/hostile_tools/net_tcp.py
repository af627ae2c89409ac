import socket


def net_tcp() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = socket.create_connection(("127.0.0.1", CANARY_TCP), 2).recv(100).decode()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
