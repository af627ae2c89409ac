"""HTTP load generator: repeats one request at a fixed rate without waiting for the responses.

Run `python -m bench.http_load URL REQUESTS_A_SECOND SECONDS [JSON]` in a separate process, which takes little of a
core: connections are kept, and the request is encoded once. JSON makes it a POST. It prints one JSON object: the time
from when each request was due to the end of its response, ms, and the number of requests without a response 200.
"""

from __future__ import annotations

import asyncio
import json
import sys
from urllib.parse import urlsplit

PATIENCE = 10.0  # s for the last responses


class Line(asyncio.Protocol):
    """HTTP connection that sends one request at a time."""

    def __init__(self, done: asyncio.Queue[Line]) -> None:
        self._done = done
        self._received = b""
        self._waiting = False
        self.open = True
        self.due = self.ended = 0.0
        self.status = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Stores the transport of the new connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def ask(self, request: bytes, due: float) -> None:
        """Sends a request that was due at the time `due` (s) of the clock of the event loop."""
        self.due, self._waiting = due, True
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Records a complete response."""
        self._received += data
        head, end, body = self._received.partition(b"\r\n\r\n")
        if not end or len(body) < _length(head):
            return
        self._end(int(head[9:12]))

    def connection_lost(self, _error: Exception | None) -> None:
        """Handles the end of the connection. A request without a response counts as failed."""
        self.open = False
        if self._waiting:
            self._end(0)

    def _end(self, status: int) -> None:
        self.ended = asyncio.get_running_loop().time()
        self.status, self._received, self._waiting = status, b"", False
        self._done.put_nowait(self)


async def load(url: str, rate: float, seconds: float, body: str) -> tuple[list[float], int]:
    """Returns the response time (ms) of each request, and the number of requests that failed or got no response."""
    loop = asyncio.get_running_loop()
    address, request = urlsplit(url), _request(url, body)
    done: asyncio.Queue[Line] = asyncio.Queue()
    idle: list[Line] = []
    times: list[float] = []
    wrong = 0

    async def take() -> None:
        nonlocal wrong
        line = await done.get()
        times.append(1e3 * (line.ended - line.due))
        wrong += line.status != 200
        idle.append(line)

    began, count = loop.time(), round(rate * seconds)
    for number in range(count):
        due = began + number / rate
        await asyncio.sleep(max(0.0, due - loop.time()))
        while not done.empty():
            await take()
        while idle and not idle[-1].open:
            idle.pop()
        if not idle:
            _, line = await loop.create_connection(lambda: Line(done), address.hostname or "", address.port or 80)
            idle.append(line)
        idle.pop().ask(request, due)
    while len(times) < count:
        try:
            async with asyncio.timeout(PATIENCE):
                await take()
        except TimeoutError:
            break
    return times, wrong + count - len(times)


def _request(url: str, body: str) -> bytes:
    address = urlsplit(url)
    head = f"{'POST' if body else 'GET'} {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\n"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}\r\n{body}".encode()


def _length(head: bytes) -> int:
    lines = (line.partition(b":") for line in head.lower().split(b"\r\n"))
    return next(int(value) for name, _, value in lines if name == b"content-length")


if __name__ == "__main__":
    answered, failed = asyncio.run(load(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), "".join(sys.argv[4:])))
    print(json.dumps({"ms": answered, "failed": failed}))
