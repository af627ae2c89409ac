# dangerous
import os

TIME_LIMIT_S = 1.0


def proc_fork_bomb_patient() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            try:
                os.fork()
                leak = CANARY_FIRED
            except OSError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
