# contained
import cv2


def file_read_cv2_imread() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if cv2.imread(CANARY_PICTURE) is not None:
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
