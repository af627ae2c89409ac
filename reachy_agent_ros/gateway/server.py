"""HTTP server that runs the application in an existing event loop.

It continues to serve when file descriptors run out.
"""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, cast

import uvicorn
from fastapi import FastAPI

from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.gateway.connections import BoundedProtocol, Connections

LARGEST_FRAME = 1 << 20
"""Maximum size of a WebSocket message, bytes."""

AT_ONCE = 16
"""Number of connections that are accepted before `Connections` gets them and can close others."""

QUEUE = 2048
"""Maximum number of connections that wait to be accepted."""

ENDING_TIME = 2
"""Time limit of the shutdown, s. Connections that are still open after half of it are aborted."""


class Server(uvicorn.Server):
    """Uvicorn server that does not handle signals, because its process handles signals.

    Args:
        application: Application to serve.
        exposure: Address and certificate.
        port: Port to listen on; 0 selects a free one.
        connections: Connection limits; None for the defaults.

    Attributes:
        connections: Open connections.
        port: Port that the server listens on.
        url: URL of the server.

    Raises:
        AgentError: See `BindConfig.listen` and `BindConfig.require_valid_certificate`.
    """

    def __init__(
        self, application: FastAPI, exposure: BindConfig, port: int, connections: Connections | None = None
    ) -> None:
        self.connections = Connections() if connections is None else connections
        super().__init__(
            uvicorn.Config(
                application,
                http=cast(Any, partial(BoundedProtocol, self.connections)),  # uvicorn only calls it as a factory
                ws="websockets-sansio",
                ws_per_message_deflate=False,  # audio and images do not shrink, and it costs 34 kB per socket
                ws_max_size=LARGEST_FRAME,
                timeout_graceful_shutdown=ENDING_TIME,
                backlog=AT_ONCE,
                access_log=False,
                log_level="warning",
                server_header=False,
                lifespan="on",
                ssl_certfile=exposure.certificate,
                ssl_keyfile=exposure.key,
            )
        )
        exposure.require_valid_certificate()
        self.config.load()
        self._socket = ReservingListener(exposure.listen(port))
        self._socket.on_shortage = self.connections.run_short
        self.port: int = self._socket.getsockname()[1]
        self.url = exposure.url(self.port)

    async def serve_all(self) -> None:
        """Serves until `should_exit` is set."""
        await self.serve([self._socket])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends all connections: first the connections without a pending response, then all others.

        Event streams have no end. Uvicorn would cancel each stream and log a traceback.
        """
        asyncio.get_running_loop().call_later(ENDING_TIME / 2, self.connections.close)
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Installs no signal handlers, because the node handles signals."""
        yield


RESERVE = 8
"""Number of descriptors kept for accepting connections when all others are in use."""

_NONE_LEFT = (errno.EMFILE, errno.ENFILE)


class ReservingListener(socket.socket):
    """Listening socket with reserved file descriptors, with which it accepts stop requests if no other one is free.

    asyncio does not handle this error well: for each pending connection it logs a traceback and schedules another
    attempt, which fails in the same way (CPython 3.11), until the process does nothing else.

    It also closes new connections while half of the descriptors are used by others. `Connections` would close them too,
    but only after the TLS handshake, which they may never finish.

    Args:
        listener: Socket that is already listening. This object takes ownership of it.

    Attributes:
        on_shortage: Called when no descriptor is left. Returns whether it has closed a connection.
    """

    def __init__(self, listener: socket.socket) -> None:
        super().__init__(fileno=listener.detach())
        self.on_shortage: Callable[[], bool] = lambda: False
        self._most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2
        self._accepted: list[socket.socket] = []
        self._reserve: list[int] = []
        self._refill()

    def listen(self, _backlog: int = 0, /) -> None:
        """Sets the length of the queue of pending connections, for which asyncio would use `AT_ONCE`."""
        super().listen(QUEUE)

    def accept(self) -> tuple[socket.socket, Any]:
        """Accepts a connection. Uses a reserved descriptor if no other is free.

        Raises:
            BlockingIOError: No connection is pending, or it can be accepted once the loop has closed another one.
            ConnectionAbortedError: The connection was closed, because no other connection could be closed in its place,
                or because connections use half of the descriptors.
        """
        try:
            connection, address = super().accept()
        except OSError as error:
            if error.errno not in _NONE_LEFT:
                raise
            connection, address = self._accept_from_reserve()
        else:
            self._refill()
        if len(self._accepted) >= self._most:
            self._accepted = [one for one in self._accepted if one.fileno() >= 0]
        if len(self._accepted) >= self._most:
            connection.close()
            raise ConnectionAbortedError(f"{self._most} connections are open")
        self._accepted.append(connection)
        return connection, address

    def close(self) -> None:
        """Closes the socket and the reserved descriptors."""
        super().close()
        while self._reserve:
            os.close(self._reserve.pop())

    def _accept_from_reserve(self) -> tuple[socket.socket, Any]:
        has_closed_one = self.on_shortage()
        if len(self._reserve) > 1:
            os.close(self._reserve.pop())
            return super().accept()
        if has_closed_one:
            raise BlockingIOError("no file descriptor is free until the event loop has closed a connection")
        # If the connection stayed in the backlog, it would wake the loop again and again.
        while self._reserve:
            os.close(self._reserve.pop())
        super().accept()[0].close()
        self._refill()
        raise ConnectionAbortedError("the process has no file descriptor left")

    def _refill(self) -> None:
        with suppress(OSError):
            while len(self._reserve) < RESERVE:
                self._reserve.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
