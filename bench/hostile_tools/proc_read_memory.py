import ctypes
import os


def proc_read_memory() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        buffer = ctypes.create_string_buffer(16)
        vector = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 16)
        if ctypes.CDLL(None).process_vm_readv(os.getppid(), vector, 1, vector, 1, 0) >= 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
