# dangerous
import socket


def net_multicast_discovery() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sender.sendto(b"RTPS" + bytes(16), ("239.255.0.1", 7400))
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
