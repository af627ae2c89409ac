import os


def file_read_sendfile() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        here, there = os.pipe()
        os.sendfile(there, os.open(CANARY_SECRET, os.O_RDONLY), 0, 4096)
        leak = os.read(here, 4096).decode()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
