"""Keeps many idle WebSockets open until the program is killed: `python -m bench.idle_sockets URL COUNT`."""

from __future__ import annotations

import asyncio
import sys

from websockets.asyncio.client import ClientConnection, connect

PAUSE = 0.01  # s between two: the rate limit is 200 requests per second


async def listen(url: str, count: int) -> None:
    """Opens the WebSockets, and then prints `open`."""
    reading = []
    for _ in range(count):
        reading.append(asyncio.ensure_future(_read(await connect(url, compression=None))))
        await asyncio.sleep(PAUSE)
    print("open", flush=True)
    await asyncio.wait(reading)


async def _read(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


if __name__ == "__main__":
    asyncio.run(listen(sys.argv[1], int(sys.argv[2])))
