import socket


def net_dns() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        query = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x05owned\x07invalid\x00\x00\x01\x00\x01"
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(query, ("127.0.0.1", CANARY_UDP))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
