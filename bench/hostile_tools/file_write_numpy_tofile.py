import numpy as np


def file_write_numpy_tofile() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        np.zeros(3).tofile(CANARY_TARGET)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
