"""One connection of a caller who was let in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus

from starlette.types import Message, Receive, Scope, Send

from reachy_agent_ros.gateway.problem import CLOSED

_REVOKED = CLOSED + HTTPStatus.UNAUTHORIZED
"""Close code."""

_LEFT = 1003
"""Close code: it was sent what its path does not understand. All others say so themselves."""


LOOK_PERIOD = 0.25
"""Seconds between two looks at the token of a caller who waits and sends nothing."""


class RevokedError(OSError):
    """As a connection that broke, which is what streams are ready for."""


class Passage:
    """What goes in and out of one connection.

    Args:
        scope: Of the connection.
        receive: Takes what comes in.
        send: Sends what goes out.
        holds: Whether the caller's token does.

    Attributes:
        revoked: Whether its token was, so that it has been ended.
        answered: Whether an answer has begun.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, holds: Callable[[], bool]) -> None:
        self._holds = holds
        self._receive = receive
        self._send = send
        self._socket = scope["type"] == "websocket"
        self._open = False
        self.revoked = False
        self.answered = False

    async def send(self, message: Message) -> None:
        """Passes on what goes out."""
        if self.revoked or (self._open and not self._holds()):
            await self._end()
        await self._send(message)
        if message["type"] in ("http.response.start", "websocket.accept"):
            self._open = self.answered = True
        elif message["type"] == "websocket.close":
            self._open = False

    async def receive(self) -> Message:
        """Passes on what comes in. To its path, a caller whose token was revoked meanwhile has hung up."""
        message = await self._arrived()
        if message["type"] == "websocket.receive" and not self._holds():
            await self._end()
        elif message["type"] == "websocket.disconnect":
            self._open = False
        return message

    async def _arrived(self) -> Message:
        arriving = asyncio.ensure_future(self._receive())
        try:
            while not (await asyncio.wait({arriving}, timeout=LOOK_PERIOD))[0]:
                if not self._holds():
                    if self._socket:
                        await self._end()
                    self.revoked = True
                    return {"type": "http.disconnect"}
            return arriving.result()
        finally:
            arriving.cancel()

    async def close(self) -> None:
        """Says farewell on a WebSocket that its path has left; the server would only hang up."""
        if self._socket and self._open:
            await self._send({"type": "websocket.close", "code": _LEFT, "reason": ""})

    async def _end(self) -> None:
        self.revoked = True
        if self._open and self._socket:
            await self._send({"type": "websocket.close", "code": _REVOKED, "reason": "Revoked."})
        elif self._open:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        self._open = False
        raise RevokedError
