"""Work that ends when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

T = TypeVar("T")


async def unless_hung_up(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Does the work of a request, and cancels it when the caller hangs up.

    Args:
        request: Whose body was read already.
        work: What to do.

    Raises:
        ClientDisconnect: The caller is gone; nobody sees it.
    """
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        leaving.cancel()
        if task.cancel():
            await asyncio.wait({task})


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
