# contained
import ctypes


def proc_landlock_syscalls() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        ctypes.CDLL(None).syscall(444, None, 0, 1)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
