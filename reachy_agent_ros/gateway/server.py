"""Serves the application in an event loop that others own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from reachy_agent_ros.core.errors import AgentError, ErrorCode

LARGEST_FRAME = 1 << 20
"""B of one WebSocket message."""

ENDING_TIME = 2
"""s that open connections have at the end."""


class Server(uvicorn.Server):
    """A server that leaves signals to the process that it runs in.

    Args:
        application: What it serves.
        host: Address to listen at.
        port: 0 for any that is free.

    Attributes:
        port: The one that it listens at, from the beginning.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: it cannot listen there.
    """

    def __init__(self, application: FastAPI, host: str, port: int) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                ws="websockets-sansio",
                ws_per_message_deflate=False,  # sound and pictures do not get smaller, and it costs 34 kB a socket
                ws_max_size=LARGEST_FRAME,
                timeout_graceful_shutdown=ENDING_TIME,
                access_log=False,
                log_level="warning",
                server_header=False,
                lifespan="off",
            )
        )
        self._socket = _listener(host, port)
        self.port: int = self._socket.getsockname()[1]

    async def serve_all(self) -> None:
        """Serves until `should_exit` is set."""
        await self.serve([self._socket])

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Takes none: the node ends it."""
        yield


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        message = f"Nothing can listen at {host}:{port}: {error.strerror or error}."
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None
