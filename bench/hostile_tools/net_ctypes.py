import ctypes


def net_ctypes() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        libc = ctypes.CDLL(None)
        number = libc.socket(2, 2, 0)
        address = (2).to_bytes(2, "little") + CANARY_UDP.to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
        libc.sendto(number, b"owned", 5, 0, address, 16)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
