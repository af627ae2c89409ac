# contained
import cv2
import numpy as np


def file_write_cv2_imwrite() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        cv2.imwrite(CANARY_FOLDER + "/owned.png", np.zeros((4, 4, 3), np.uint8))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
