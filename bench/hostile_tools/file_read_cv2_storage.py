import cv2


def file_read_cv2_storage() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if cv2.FileStorage(CANARY_FOLDER + "/storage.yaml", cv2.FILE_STORAGE_READ).isOpened():
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
