import numpy as np


def file_read_numpy_genfromtxt() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = str(np.genfromtxt(CANARY_SECRET, dtype=str))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
