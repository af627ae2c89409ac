def escape_frame_of_generator() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        def _frames():
            yield running.gi_frame.f_back.f_builtins["open"]
        running = _frames()
        leak = next(running)(CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
