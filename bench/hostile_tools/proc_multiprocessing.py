import multiprocessing


def proc_multiprocessing() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        process = multiprocessing.Process(target=open, args=(CANARY_FOLDER + "/owned", "w"))
        process.start()
        process.join()
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
