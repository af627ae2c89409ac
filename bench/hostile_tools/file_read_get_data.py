import numpy


def file_read_get_data() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = numpy.__loader__.get_data(CANARY_SECRET).decode()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
