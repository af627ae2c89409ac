import asyncio


async def net_asyncio_stream() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", CANARY_TCP)
        leak = (await reader.read(100)).decode()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
