# contained
import numpy as np

MEMORY_MB = 64


def memory_numpy() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        hoard = np.ones((1500, 1 << 17))
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
