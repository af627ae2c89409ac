# contained
from PIL import Image


def file_write_pillow_save() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        Image.new("RGB", (4, 4)).save(CANARY_FOLDER + "/owned-picture.png")
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
