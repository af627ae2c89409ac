import socket


def net_dns_resolver() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        socket.getaddrinfo("localhost", 80, type=socket.SOCK_STREAM)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
