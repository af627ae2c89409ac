import os


def proc_posix_spawn() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.posix_spawn("/bin/sh", ["sh", "-c", "echo owned > " + CANARY_TARGET], {})
        os.wait()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
