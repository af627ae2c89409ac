"""Limits for the number of open connections, and for the time that a client may take to send its request."""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.gateway.access.authentication import STOP
from reachy_agent_ros.gateway.problem import refusal

MOST = 256
"""Maximum number of connections: about forty console pages with up to six each."""

MOST_OF_ONE = 128
"""Maximum number of connections from one address. All programs on this machine have the same address."""

RESERVE = 16
"""Number of connections beyond `MOST` that may only request the stop."""

DESCRIPTORS = 4096
"""Number of file descriptors that the process requests from the system."""

LARGEST_HEAD = 64 << 10
"""Maximum size of a request line and its headers, bytes."""

HEAD_TIME = 10.0
"""Maximum time from the start of a connection, or of a later request on it, to the end of its headers, s."""

SHORTAGE = 5.0
"""Time after descriptors have run out during which new connections may only request the stop, s."""

BODY_TIME = 30.0
"""Maximum pause between two parts of a request body, s."""


class Connections:
    """Open connections, oldest first. If all slots are in use, the oldest idle connection is closed.

    Args:
        most: Maximum number of connections.
        most_of_one: Maximum number of connections from one address.
        reserve: Number of additional connections that may only request the stop.
    """

    def __init__(self, most: int = MOST, most_of_one: int = MOST_OF_ONE, reserve: int = RESERVE) -> None:
        self._most, self._most_of_one, self._reserve = most, most_of_one, reserve
        self._open: dict[BoundedProtocol, str] = {}
        self._shortage = Deadline(0.0)

    @property
    def crowded(self) -> bool:
        """Whether nearly all connection slots are in use, or file descriptors have recently run out."""
        return len(self) > 0.9 * self._most or not self._shortage.passed

    def run_short(self) -> bool:
        """Records a shortage of file descriptors, and closes the oldest idle connection.

        Returns:
            Whether a connection was closed.
        """
        self._shortage = Deadline(SHORTAGE)
        return self._make_room()

    def __len__(self) -> int:
        """Returns the number of open connections. Another thread may call this, so it changes nothing."""
        return sum(not one.is_closed for one in list(self._open))

    def admit(self, connection: BoundedProtocol, address: str) -> bool | None:
        """Assigns a slot to a new connection.

        Returns:
            True for a normal slot, False for a slot that may only request the stop, None if no slot is free.
        """
        self._forget_closed()
        if Counter(self._open.values())[address] >= self._most_of_one:
            self._make_room(address)
        full = len(self._open) >= self._most and not self._make_room()
        crowded = Counter(self._open.values())[address] >= self._most_of_one
        if len(self._open) >= self._most + self._reserve:
            return None
        self._open[connection] = address
        return not full and not crowded and self._shortage.passed

    def close(self) -> None:
        """Closes all connections without waiting for responses."""
        for connection in self._open:
            if not connection.is_closed:
                connection.abort()

    def _make_room(self, address: str | None = None) -> bool:
        """Closes the oldest idle connection, from one address or from any address."""
        for connection, owner in self._open.items():
            if connection.is_awaited and address in (None, owner):
                connection.abort()
                del self._open[connection]
                return True
        return False

    def _forget_closed(self) -> None:
        """Removes closed connections. The HTTP protocol object is not notified when a WebSocket closes."""
        for connection in [one for one in self._open if one.is_closed]:
            del self._open[connection]


def fitting_connections() -> Connections:
    """Derives the connection limits from the file descriptor limit. Keeps half of the descriptors for other uses.

    If the hard limit permits, the soft limit is raised first, because it is 1024 by default on many systems.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < DESCRIPTORS:
        soft = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    most = max(1, min(MOST, soft // 2 - RESERVE))
    return Connections(most, min(MOST_OF_ONE, most))


class BoundedProtocol(HttpToolsProtocol):
    """Uvicorn's HTTP protocol, extended with timeouts and a limit for the size of headers.

    Args:
        connections: All connections of the server.
        keywords: Passed on to Uvicorn's protocol.
    """

    def __init__(self, connections: Connections, **keywords: Any) -> None:
        super().__init__(**keywords)
        self._connections = connections
        self._timer: asyncio.TimerHandle | None = None
        self._in_head = True
        self._head = 0
        self._stop_only = False
        self._upgraded = False

    @property
    def is_awaited(self) -> bool:
        """Whether the connection is idle: no request is in progress, except one whose headers are still arriving."""
        return not self._upgraded and (self.cycle is None or self.cycle.response_complete)

    @property
    def is_closed(self) -> bool:
        """Whether the transport is closing or closed."""
        return self.transport is not None and self.transport.is_closing()

    def abort(self) -> None:
        """Closes the connection without a response."""
        self._wait(None)
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Assigns a slot to the new connection, or closes it if no slot is free."""
        super().connection_made(transport)
        place = self._connections.admit(self, self.client[0] if self.client else "")
        if place is None:
            self.abort()
            return
        self._stop_only = not place
        self._wait(HEAD_TIME)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancels the timer of this connection."""
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Processes incoming data. Parses headers in parts, to enforce the size limit."""
        while self._in_head and data and not self.is_closed:
            room = LARGEST_HEAD - self._head
            if room <= 0:
                self._refuse(
                    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"Headers too large: at most {LARGEST_HEAD} bytes."
                )
                return
            piece, data = data[:room], data[room:]
            self._head += len(piece)
            super().data_received(piece)
        if data and not self.is_closed:
            if self._timer is not None:
                self._wait(BODY_TIME)
            super().data_received(data)

    def on_message_begin(self) -> None:
        """Starts the timeout of a request."""
        super().on_message_begin()
        self._in_head, self._head = True, 0
        if self._timer is None:
            self._wait(HEAD_TIME)

    def on_headers_complete(self) -> None:
        """Rejects any request except the emergency stop, if this connection accepts only the stop."""
        self._in_head = False
        if self._stop_only and self.url.partition(b"?")[0] != STOP.encode():
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "Too many open connections: only the stop is available.")
            return
        self._wait(BODY_TIME)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Cancels the timeout of the request."""
        self._wait(None)
        if not self.is_closed:
            super().on_message_complete()

    def on_body(self, body: bytes) -> None:
        """Processes a part of the body, unless the request was rejected."""
        if not self.is_closed:
            super().on_body(body)

    def handle_websocket_upgrade(self) -> None:
        """Transfers the connection to the WebSocket protocol, which has its own limits."""
        self._upgraded = True
        self._wait(None)
        super().handle_websocket_upgrade()

    def _wait(self, seconds: float | None) -> None:
        """Restarts the timer that closes the connection. If the time is None, cancels the timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._timer = None
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The request did not arrive completely in time.")

    def _refuse(self, status: HTTPStatus, detail: str) -> None:
        self._wait(None)
        response = refusal(status, detail, {"Connection": "close"})
        headers = b"".join(b"%b: %b\r\n" % header for header in response.raw_headers)
        line = f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode()
        self.transport.write(line + headers + b"\r\n" + response.body)
        self.transport.close()
