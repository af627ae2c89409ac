def escape_frame_of_traceback_method() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        try:
            1 / 0
        except ZeroDivisionError as error:
            leak = error.with_traceback(None).__class__.__base__.__subclasses__()[0] and open(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
