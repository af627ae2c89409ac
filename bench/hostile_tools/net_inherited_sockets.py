import os
import socket


def net_inherited_sockets() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(3, 64):
            try:
                socket.socket(fileno=number).getpeername()
                leak = CANARY_FIRED
            except OSError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
