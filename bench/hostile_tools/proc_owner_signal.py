import fcntl
import os


def proc_owner_signal() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(64):
            try:
                fcntl.fcntl(number, fcntl.F_SETOWN, CANARY_PID)
                fcntl.fcntl(number, fcntl.F_SETFL, os.O_ASYNC)
                leak = CANARY_FIRED if fcntl.fcntl(number, fcntl.F_GETOWN) == CANARY_PID else leak
            except OSError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
