import numpy as np


def file_read_numpy_memmap() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = np.memmap(CANARY_SECRET, dtype=np.uint8, mode="r").tobytes().decode()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
