import cv2


def file_write_cv2_storage() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        storage = cv2.FileStorage(CANARY_FOLDER + "/owned.yaml", cv2.FILE_STORAGE_WRITE)
        storage.write("owned", 1)
        storage.release()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
