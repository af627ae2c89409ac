"""Serves the application in an event loop that others own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import uvicorn
from fastapi import FastAPI

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.exposure import Exposure
from reachy_agent_ros.gateway.connections import BoundedProtocol, Connections
from reachy_agent_ros.gateway.listener import ReservingListener

LARGEST_FRAME = 1 << 20
"""B of one WebSocket message."""

ENDING_TIME = 2
"""s that open connections have at the end."""


class Server(uvicorn.Server):
    """A server that leaves signals to the process that it runs in.

    Args:
        application: What it serves.
        exposure: Where to listen, and with which certificate.
        port: 0 for any that is free.
        connections: How many there may be; None for the usual bounds.

    Attributes:
        connections: Those that are open.
        port: The one that it listens at, from the beginning.
        url: Where it is.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: it cannot listen there; `INVALID_ARGUMENTS`: no certificate with its key.
    """

    def __init__(
        self, application: FastAPI, exposure: Exposure, port: int, connections: Connections | None = None
    ) -> None:
        self.connections = Connections() if connections is None else connections
        super().__init__(
            uvicorn.Config(
                application,
                http=cast(Any, partial(BoundedProtocol, self.connections)),  # a factory is all that it is used as
                ws="websockets-sansio",
                ws_per_message_deflate=False,  # sound and pictures do not get smaller, and it costs 34 kB a socket
                ws_max_size=LARGEST_FRAME,
                timeout_graceful_shutdown=ENDING_TIME,
                access_log=False,
                log_level="warning",
                server_header=False,
                lifespan="on",
                ssl_certfile=exposure.certificate,
                ssl_keyfile=exposure.key,
            )
        )
        self._load(exposure)
        self._socket = _listener(exposure.host, port)
        self._socket.on_shortage = self.connections.run_short
        self.port: int = self._socket.getsockname()[1]
        self.url = f"{'https' if exposure.certificate else 'http'}://{exposure.host}:{self.port}"

    async def serve_all(self) -> None:
        """Serves until `should_exit` is set."""
        await self.serve([self._socket])

    def _load(self, exposure: Exposure) -> None:
        """Early, so that a wrong certificate is told before anything is served."""
        try:
            self.config.load()
        except OSError as error:  # as `ssl` has it too
            message = f"{exposure.certificate} is no certificate with its key: {error.strerror or error}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Takes none: the node ends it."""
        yield


def _listener(host: str, port: int) -> ReservingListener:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        message = f"Nothing can listen at {host}:{port}: {error.strerror or error}."
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None
    # Connections inherit it. An answer is written in two pieces, of which the second would wait 40 ms for the first's
    # acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return ReservingListener(listener)
