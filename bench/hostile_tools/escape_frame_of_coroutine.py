async def escape_frame_of_coroutine() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        async def _idle() -> None:
            pass
        waiting = _idle()
        leak = waiting.cr_frame.f_builtins["open"](CANARY_SECRET).read()
        waiting.close()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
