"""How many may be connected at once, and how long they may take to say what they want."""

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
"""Connections at once: some forty pages of the console, which keep up to six each."""

MOST_OF_ONE = 128
"""Of one address; all programs of this machine share one."""

RESERVE = 16
"""Connections beyond `MOST` that may ask for the stop, and for nothing else."""

DESCRIPTORS = 4096
"""Files and sockets that the process may have open, if the system allows it."""

LARGEST_HEAD = 64 << 10
"""Bytes of a request before its body: line and headers."""

HEAD_TIME = 10.0
"""Seconds from the beginning of a connection, or of a further request on it, to the end of its headers."""

SHORTAGE = 5.0
"""s after the last connection for which no descriptor was left, in which new ones may ask for the stop only."""

BODY_TIME = 30.0
"""Longest pause, s, between two parts of a request's body."""


class Connections:
    """Those that are open, oldest first. When all places are taken, who has not said yet what they want has to leave.

    Args:
        most: Places.
        most_of_one: Of them for one address.
        reserve: Further places for the stop.
    """

    def __init__(self, most: int = MOST, most_of_one: int = MOST_OF_ONE, reserve: int = RESERVE) -> None:
        self._most, self._most_of_one, self._reserve = most, most_of_one, reserve
        self._open: dict[BoundedProtocol, str] = {}
        self._shortage = Deadline(0.0)

    @property
    def crowded(self) -> bool:
        """Whether hardly any place is left, or the process is short of descriptors."""
        return len(self) > 0.9 * self._most or not self._shortage.passed

    def run_short(self) -> bool:
        """Takes note that no descriptor is left, and closes the oldest connection that is being waited for.

        Returns:
            Whether there was one.
        """
        self._shortage = Deadline(SHORTAGE)
        return self._make_room()

    def __len__(self) -> int:
        """How many are open."""
        self._forget_closed()
        return len(self._open)

    def admit(self, connection: BoundedProtocol, address: str) -> bool | None:
        """Finds a place for a new connection.

        Returns:
            True for a place, False for one that is for the stop only, None if there is none.
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

    def _make_room(self, address: str | None = None) -> bool:
        """Closes the oldest connection that is being waited for; of one address, or of any."""
        for connection, owner in self._open.items():
            if connection.is_awaited and address in (None, owner):
                connection.abort()
                del self._open[connection]
                return True
        return False

    def _forget_closed(self) -> None:
        """Also those that became WebSockets and have ended, of which their protocol hears nothing any more."""
        for connection in [one for one in self._open if one.is_closed]:
            del self._open[connection]


def fitting_connections() -> Connections:
    """As many places as the process has descriptors for: half of them stay for everything else, the stop among it.

    Raises the soft limit first, where the hard one allows it: many systems begin with 1024.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < DESCRIPTORS:
        soft = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    most = max(1, min(MOST, soft // 2 - RESERVE))
    return Connections(most, min(MOST_OF_ONE, most))


class BoundedProtocol(HttpToolsProtocol):
    """Uvicorn's protocol, which by itself waits for ever and takes headers of any size.

    Args:
        connections: Those of the server.
        keywords: As of uvicorn's protocol.
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
        """Whether nothing is being done for it: it has not said yet what it wants, or not what it wants next."""
        return not self._upgraded and (self.cycle is None or self.cycle.response_complete)

    @property
    def is_closed(self) -> bool:
        """Whether its transport is."""
        return self.transport is not None and self.transport.is_closing()

    def abort(self) -> None:
        """Ends it without an answer."""
        self._wait(None)
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Takes a place, if there is one."""
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
        """Takes what comes, piece by piece as long as it belongs to headers."""
        while self._in_head and data and not self.is_closed:
            room = LARGEST_HEAD - self._head
            if room <= 0:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"Headers have at most {LARGEST_HEAD} bytes.")
                return
            piece, data = data[:room], data[room:]
            self._head += len(piece)
            super().data_received(piece)
        if data and not self.is_closed:
            if self._timer is not None:
                self._wait(BODY_TIME)
            super().data_received(data)

    def on_message_begin(self) -> None:
        """A request begins, the first or a further one."""
        super().on_message_begin()
        self._in_head, self._head = True, 0
        if self._timer is None:
            self._wait(HEAD_TIME)

    def on_headers_complete(self) -> None:
        """It has said what it wants."""
        self._in_head = False
        if self._stop_only and self.url.partition(b"?")[0] != STOP.encode():
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections are open; only the stop is served.")
            return
        self._wait(BODY_TIME)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It has sent all of it."""
        self._wait(None)
        if not self.is_closed:
            super().on_message_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body of a request that was not refused."""
        if not self.is_closed:
            super().on_body(body)

    def handle_websocket_upgrade(self) -> None:
        """Hands the connection over to the WebSocket protocol, which has its own limits."""
        self._upgraded = True
        self._wait(None)
        super().handle_websocket_upgrade()

    def _wait(self, seconds: float | None) -> None:
        """Ends the connection unless something comes in time."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._timer = None
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The request was not complete in time.")

    def _refuse(self, status: HTTPStatus, detail: str) -> None:
        self._wait(None)
        response = refusal(status, detail, {"Connection": "close"})
        headers = b"".join(b"%b: %b\r\n" % header for header in response.raw_headers)
        line = f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode()
        self.transport.write(line + headers + b"\r\n" + response.body)
        self.transport.close()
