"""Serves the application where its `BindConfig` says, in an event loop that others own.

The server goes on when file descriptors run out.
"""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import uvicorn
from fastapi import FastAPI

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import TokenAuthenticator, TokenFile
from reachy_agent_ros.gateway.connections import BoundedProtocol, Connections

LARGEST_FRAME = 1 << 20
"""B of one WebSocket message."""

ENDING_TIME = 2
"""s that open connections have at the end."""


@dataclass(frozen=True)
class BindConfig:
    """Where it listens, and how.

    Attributes:
        host: Address to listen at, or a name of this machine.
        tokens_required: Whether the person at the machine needs a token too.
        encryption_required: Whether it serves other machines over TLS only.
        certificate: PEM file with the chain; None: no TLS.
        key: PEM file with its private key; None: in the same file.
    """

    host: str = "127.0.0.1"
    tokens_required: bool = False
    encryption_required: bool = True
    certificate: Path | None = None
    key: Path | None = None

    @property
    def local(self) -> bool:
        """Whether only this machine reaches it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def authenticator(self, tokens: TokenFile) -> TokenAuthenticator:
        """Who is let in.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it would be open to strangers, or to nobody; the sentence says what to do.
        """
        if (self.tokens_required or not self.local) and not tokens.tokens():
            raise AgentError(
                ErrorCode.INVALID_ARGUMENTS,
                f"The gateway at {self.host} needs tokens, and there are none: reachy-agent tokens make NAME.",
            )
        if not self.local and self.encryption_required and self.certificate is None:
            raise AgentError(
                ErrorCode.INVALID_ARGUMENTS,
                f"At {self.host} others on the network could read tokens; give gateway_certificate:=FILE and "
                "gateway_key:=FILE, or gateway_encryption:=none to accept that.",
            )
        return TokenAuthenticator(tokens, local=self.local and not self.tokens_required)


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
        self, application: FastAPI, exposure: BindConfig, port: int, connections: Connections | None = None
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

    def _load(self, exposure: BindConfig) -> None:
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
        reason = error.strerror or error
        message = f"Cannot listen at {host}:{port}: {reason}. Set gateway_port to another port, or to 0 for a free one."
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None
    # Connections inherit it. An answer is written in two pieces, of which the second would wait 40 ms for the first's
    # acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return ReservingListener(listener)


RESERVE = 8
"""Descriptors that are kept for accepting connections when all others are in use."""

_NONE_LEFT = (errno.EMFILE, errno.ENFILE)


class ReservingListener(socket.socket):
    """Holds descriptors in reserve, so that somebody who asks for the stop is accepted all the same.

    asyncio cannot be left alone with this error: for each place of the backlog it logs a traceback and plans another
    try, each of which does the same again (CPython 3.11), until the process does nothing else.

    Args:
        listener: What listens already; this object takes it over.

    Attributes:
        on_shortage: Called when all other descriptors are in use; returns whether it has closed a connection.
    """

    def __init__(self, listener: socket.socket) -> None:
        super().__init__(fileno=listener.detach())
        self.on_shortage: Callable[[], bool] = lambda: False
        self._reserve: list[int] = []
        self._refill()

    def accept(self) -> tuple[socket.socket, Any]:
        """Accepts a connection, by the reserve if need be.

        Raises:
            BlockingIOError: None waits, or it can be accepted as soon as the loop has closed another one.
            ConnectionAbortedError: It was closed, because there is nothing that could be closed in its place.
        """
        try:
            accepted = super().accept()
        except OSError as error:
            if error.errno not in _NONE_LEFT:
                raise
            return self._accept_from_reserve()
        self._refill()
        return accepted

    def close(self) -> None:
        """Closes the socket and the reserve."""
        super().close()
        while self._reserve:
            os.close(self._reserve.pop())

    def _accept_from_reserve(self) -> tuple[socket.socket, Any]:
        has_closed_one = self.on_shortage()
        if len(self._reserve) > 1:
            os.close(self._reserve.pop())
            return super().accept()
        if has_closed_one:
            raise BlockingIOError("no descriptor is free until the loop has closed a connection")
        # Left in the backlog, it would wake the loop again at once, for ever.
        while self._reserve:
            os.close(self._reserve.pop())
        super().accept()[0].close()
        self._refill()
        raise ConnectionAbortedError("the process has no descriptor left")

    def _refill(self) -> None:
        with suppress(OSError):
            while len(self._reserve) < RESERVE:
                self._reserve.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
