import hashlib


def escape_hashlib_digest() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = hashlib.file_digest(open(CANARY_SECRET, "rb"), "sha256").hexdigest() and CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
