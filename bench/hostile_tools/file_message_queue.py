import ctypes


def file_message_queue() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if ctypes.CDLL("librt.so.1").mq_open(b"/" + CANARY_MARK.encode(), 0o102, 0o600, None) >= 0:
            ctypes.CDLL("librt.so.1").mq_unlink(b"/" + CANARY_MARK.encode())
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
