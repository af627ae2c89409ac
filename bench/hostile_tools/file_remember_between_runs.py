# twice
import os


def file_remember_between_runs() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        paths = [folder + "/" + CANARY_MARK + "-memory" for folder in ("/tmp", "/var/tmp", "/dev/shm", os.getcwd())]
        if any(os.path.exists(path) for path in paths):
            leak = CANARY_FIRED
        for path in paths:
            try:
                open(path, "w").write("remembered")
            except OSError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
