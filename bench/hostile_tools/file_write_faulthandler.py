import faulthandler


def file_write_faulthandler() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        faulthandler.dump_traceback(open(CANARY_TARGET, "w"))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
