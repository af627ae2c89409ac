async def escape_frame_of_asynchronous_generator() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        async def _many():
            yield 1
        many = _many()
        leak = many.ag_frame.f_builtins["open"](CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
