# dangerous
import socket


def net_raw() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
