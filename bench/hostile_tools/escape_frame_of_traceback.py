def escape_frame_of_traceback() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        try:
            1 / 0
        except ZeroDivisionError as error:
            leak = error.__traceback__.tb_frame.f_builtins["open"](CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
