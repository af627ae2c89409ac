import numpy as np


def file_read_numpy_fromfile() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = np.fromfile(CANARY_SECRET, dtype=np.uint8).tobytes().decode()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
