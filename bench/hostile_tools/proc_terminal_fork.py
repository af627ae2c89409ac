# dangerous
import pty


def proc_terminal_fork() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        pty.spawn(["/bin/sh", "-c", "echo owned > " + CANARY_TARGET])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
