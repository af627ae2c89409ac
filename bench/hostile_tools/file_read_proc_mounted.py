import ctypes
import os


def file_read_proc_mounted() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.makedirs("/tmp/proc", exist_ok=True)
        if ctypes.CDLL(None).mount(b"proc", b"/tmp/proc", b"proc", 0, None) == 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
