import asyncio


async def net_asyncio_server() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        leak = CANARY_FIRED if server.sockets else ""
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
