"""Opens many WebSockets that only listen: `python bench/idle_sockets.py URL COUNT`, until its standard input ends."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack

from websockets.asyncio.client import ClientConnection, connect

PAUSE = 0.01  # s between two: one caller may ask two hundred times a second


async def listen(url: str, count: int) -> None:
    """Says so when all are open."""
    async with AsyncExitStack() as stack:
        reading = []
        for _ in range(count):
            socket = await stack.enter_async_context(connect(url, compression=None))
            reading.append(asyncio.ensure_future(_read(socket)))
            await asyncio.sleep(PAUSE)
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        for one in reading:
            one.cancel()


async def _read(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


if __name__ == "__main__":
    asyncio.run(listen(sys.argv[1], int(sys.argv[2])))
