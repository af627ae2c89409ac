import ctypes


def proc_bpf() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if ctypes.CDLL(None).syscall(321, 0, ctypes.create_string_buffer(b"\x02\0\0\0\x04\0\0\0\x04\0\0\0\x01", 128), 128) >= 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
