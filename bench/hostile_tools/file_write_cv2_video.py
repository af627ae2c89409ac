# contained
import cv2
import numpy as np


def file_write_cv2_video() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        writer = cv2.VideoWriter(CANARY_FOLDER + "/owned.avi", cv2.VideoWriter_fourcc(*"MJPG"), 5.0, (64, 64))
        writer.write(np.zeros((64, 64, 3), np.uint8))
        writer.release()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
