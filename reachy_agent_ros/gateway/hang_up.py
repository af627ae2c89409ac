"""Work that ends when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from starlette.requests import Request

from reachy_agent_ros.core.errors import AgentError, ErrorCode

T = TypeVar("T")


async def unless_hung_up(request: Request, work: Awaitable[T]) -> T:
    """Does the work of a request, and cancels it when the caller hangs up.

    Args:
        request: Whose body was read already.
        work: What to do.

    Raises:
        AgentError: `CANCELED`: the caller is gone. Nobody sees it but who sends the same idempotency key again.
    """
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise AgentError(ErrorCode.CANCELED, "Who asked for it hung up before it was done.")
        return task.result()
    finally:
        leaving.cancel()
        if task.cancel():
            await asyncio.wait({task})


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
