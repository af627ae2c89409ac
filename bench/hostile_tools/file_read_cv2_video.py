import cv2


def file_read_cv2_video() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if cv2.VideoCapture(CANARY_PICTURE).read()[0]:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
