# contained
import os


def file_write_tmp() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for folder in ("/tmp", "/var/tmp", "/run", os.path.expanduser("~"), "."):
            try:
                open(folder + "/" + CANARY_MARK, "w").write("owned")
            except OSError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
