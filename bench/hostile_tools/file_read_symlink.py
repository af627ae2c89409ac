import os


def file_read_symlink() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.symlink(CANARY_SECRET, "/tmp/link")
        leak = open("/tmp/link").read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
