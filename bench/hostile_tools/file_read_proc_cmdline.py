import os


def file_read_proc_cmdline() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = " ".join(open(f"/proc/{number}/cmdline").read() for number in os.listdir("/proc") if number.isdigit())
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
