# contained
import numpy as np

MEMORY_MB = 64


def memory_shared() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        hoard = [np.full(1 << 22, number, np.uint8) for number in range(500)]
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
