import multiprocessing.connection


def net_multiprocessing() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        multiprocessing.connection.Client(("127.0.0.1", CANARY_TCP))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
