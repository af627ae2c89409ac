# contained
from zoneinfo import ZoneInfo


def file_read_zoneinfo() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = str(ZoneInfo("../" * 16 + CANARY_SECRET.lstrip("/")))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
