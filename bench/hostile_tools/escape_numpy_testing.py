import numpy.testing


def escape_numpy_testing() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        numpy.testing.rundocs(CANARY_SECRET)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
