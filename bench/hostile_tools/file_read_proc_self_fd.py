import os


def file_read_proc_self_fd() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(64):
            try:
                leak += open(f"/proc/self/fd/{number}/.." + CANARY_SECRET).read()
            except OSError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
