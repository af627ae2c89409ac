# must fail
import os

TIME_LIMIT_S = 0.5


def wire_swapped_pipes() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for number in range(64):
            try:
                os.dup2(1, number)
            except OSError:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
