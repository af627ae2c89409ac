import cv2


def net_cv2_stream() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        cv2.VideoCapture(f"http://127.0.0.1:{CANARY_TCP}/stream.mjpg").read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
