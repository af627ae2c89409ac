from concurrent.futures import ProcessPoolExecutor


def proc_executor() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ProcessPoolExecutor(1) as pool:
            pool.submit(abs, -1).result()
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
