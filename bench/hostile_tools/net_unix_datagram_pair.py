# contained, dangerous
import socket


def net_unix_datagram_pair() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        one, other = socket.socketpair()
        socket.send_fds(one, [b"fd"], [0])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
