# contained
import cv2
import numpy as np

MEMORY_MB = 64


def memory_picture() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        cv2.resize(np.zeros((10, 10, 3), np.uint8), (25000, 25000))
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
