import numpy.ctypeslib


def escape_numpy_ctypeslib() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = str(numpy.ctypeslib.ctypes.CDLL(None).unlink(CANARY_TARGET.encode()))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
