# must fail
import asyncio


async def wire_cancelled() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    raise asyncio.CancelledError
