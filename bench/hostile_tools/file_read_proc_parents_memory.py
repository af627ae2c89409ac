import os


def file_read_proc_parents_memory() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        open(f"/proc/{os.getppid()}/mem", "rb").read(0)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
