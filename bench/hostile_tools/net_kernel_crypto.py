import socket


def net_kernel_crypto() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).bind(("hash", "sha256"))
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
