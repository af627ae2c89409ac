# dangerous
import socket


def net_packet() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
