import os


def file_read_list_folder() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        if os.listdir(CANARY_FOLDER):
            leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
