import numpy as np


def file_write_numpy_dump() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        np.zeros(3).dump(CANARY_TARGET)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
