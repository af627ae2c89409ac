import socket


def net_udp() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"owned", ("127.0.0.1", CANARY_UDP))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
