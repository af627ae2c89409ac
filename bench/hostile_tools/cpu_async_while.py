import asyncio

TIME_LIMIT_S = 0.5


async def cpu_async_while() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            await asyncio.sleep(0)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
