import asyncio

TIME_LIMIT_S = 0.5


async def cpu_sleep_awaited() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        await asyncio.sleep(1e9)
        await asyncio.Event().wait()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
