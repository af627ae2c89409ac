import ctypes
import os


def proc_fork_syscall() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        me, libc = os.getpid(), ctypes.CDLL(None)
        child = libc.syscall(57)
        if os.getpid() != me:
            os._exit(0)
        if child > 0:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
