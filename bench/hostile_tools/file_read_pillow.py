# contained
from PIL import Image


def file_read_pillow() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        Image.open(CANARY_PICTURE).load()
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
