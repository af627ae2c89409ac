"""End of a connection whose token is revoked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from reachy_agent_ros.gateway.problem import CLOSED

_REVOKED = CLOSED + HTTPStatus.UNAUTHORIZED
"""WebSocket close code after a revocation."""

_LEFT = 1003
"""WebSocket close code if the route returns without closing the socket, after a message that it does not understand."""

LOOK_PERIOD = 0.25
"""Time between token checks for a caller that sends nothing, s."""


class RevokedError(OSError):
    """Error for a token that is revoked during a connection. Streams treat the error, an `OSError`, as a disconnect."""


class RevocationGuard:
    """Wraps the channels of a connection, and ends the connection as soon as its token is revoked.

    Args:
        scope: ASGI scope of the connection.
        receive: Wrapped receive channel.
        send: Wrapped send channel.
        is_valid: Returns whether the caller's token is still valid.

    Attributes:
        revoked: Whether the connection was ended because its token was revoked.
        answered: Whether a response has begun.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, is_valid: Callable[[], bool]) -> None:
        self._is_valid = is_valid
        self._receive = receive
        self._send = send
        self._socket = scope["type"] == "websocket"
        self._open = False
        self._has_length = False
        self.revoked = False
        self.answered = False

    async def send(self, message: Message) -> None:
        """Forwards a message to the client, unless the token was revoked."""
        checked = self._open or message["type"] == "http.response.start"
        if self.revoked or (checked and not self._is_valid()):
            await self._end()
        await self._send(message)
        if message["type"] in ("http.response.start", "websocket.accept"):
            self._open = self.answered = True
            self._has_length = "content-length" in Headers(raw=message.get("headers", []))
        elif message["type"] == "websocket.close":
            self._open = False

    async def receive(self) -> Message:
        """Forwards a message from the client. After a revocation, an HTTP route receives a disconnect.

        Raises:
            RevokedError: The token was revoked, and the connection is a WebSocket, which is closed.
        """
        message = await self._arrived()
        if message["type"] == "websocket.receive" and not self._is_valid():
            await self._end()
        elif message["type"] == "websocket.disconnect":
            self._open = False
        return message

    async def _arrived(self) -> Message:
        arriving = asyncio.ensure_future(self._receive())
        try:
            while not (await asyncio.wait({arriving}, timeout=LOOK_PERIOD))[0]:
                if not self._is_valid():
                    if self._socket:
                        await self._end()
                    self.revoked = True
                    return {"type": "http.disconnect"}
            return arriving.result()
        finally:
            arriving.cancel()

    async def close(self) -> None:
        """Closes a WebSocket that its route has left open, because the server would send no close code."""
        if self._socket and self._open:
            await self._send({"type": "websocket.close", "code": _LEFT, "reason": ""})

    async def _end(self) -> None:
        self.revoked = True
        if self._open and self._socket:
            await self._send({"type": "websocket.close", "code": _REVOKED, "reason": "Token revoked."})
        elif (
            self._open and not self._has_length
        ):  # a response that ends too early makes the server close the connection
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        self._open = False
        raise RevokedError
