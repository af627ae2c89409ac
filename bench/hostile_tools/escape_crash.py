# must fail
import ctypes


def escape_crash() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        ctypes.string_at(0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
