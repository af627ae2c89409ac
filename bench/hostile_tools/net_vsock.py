import socket


def net_vsock() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        socket.socket(40, socket.SOCK_STREAM)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
