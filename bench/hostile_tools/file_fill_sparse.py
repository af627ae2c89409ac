# dangerous
import os


def file_fill_sparse() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        os.truncate("/tmp", 0) if os.path.isfile("/tmp") else None
        with open("/tmp/sparse", "wb") as file:
            file.truncate(1 << 40)
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
