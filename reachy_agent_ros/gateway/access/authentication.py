"""Authentication of HTTP and WebSocket connections, by token and for as long as they last."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reachy_agent_ros.agent.permissions.principal import Decides
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.request_validation import RateLimit
from reachy_agent_ros.gateway.access.token_file import Scope as TokenScope
from reachy_agent_ros.gateway.callers import Caller, Demand, DeniedError, Role, caller_of
from reachy_agent_ros.gateway.graph import gateway_behind
from reachy_agent_ros.gateway.problem import CLOSED, refuse, status_of

GUARDED = ("/api/", "/metrics", "/mcp")
"""Where paths begin that need a token; the console itself is for everybody, because it is what asks for one."""

STOP = "/api/v1/stop"
"""Never limited in rate."""

FEEDBACK = "/api/v1/feedback"
CHAT = ("/api/v1/chat", "/api/v1/chat/stream")
"""These are limited where it is known whether what was sent there is a stop."""

_SCHEME = "bearer"
_SOCKET_PREFIX = "bearer."
"""Browsers cannot send headers with a WebSocket, so the token comes as a subprotocol that is never echoed."""

_NEEDS_TOKEN = "A valid token is needed."  # noqa: S105 - a sentence

_CHALLENGE = {"WWW-Authenticate": "Bearer"}
"""Header of the answer that asks for one."""

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""Sent by proxies, which make everybody look as if they sat at this machine."""


class AuthenticationMiddleware:
    """Finds out who calls, within their rate, before anything else looks at what they sent.

    Args:
        app: What is behind it; `request.state.caller` is who calls, and `request.state.wait` how many s too early a
            judgement or a sentence comes.
        rate: How often each caller may.
    """

    def __init__(self, app: ASGIApp, rate: RateLimit) -> None:
        self._app = app
        self._rate = rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] == "lifespan" or not scope["path"].startswith(GUARDED):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        try:
            caller = _identify(connection)
        except DeniedError:
            await _deny(scope, receive, send)
            return
        except AgentError as error:
            await refuse(scope, receive, send, status_of(error.code), error.message)
            return
        wait = 0 if scope["path"] == STOP else await self._rate.wait(caller.name)
        if wait and not (scope.get("method") == "POST" and scope["path"] in (FEEDBACK, *CHAT)):
            await too_many(scope, receive, send, wait)
            return
        connection.state.caller = caller
        connection.state.wait = wait
        await self._serve(connection, receive, send)

    async def _serve(self, connection: HTTPConnection, receive: Receive, send: Send) -> None:
        """Serves while the token holds; nothing passes in either direction after it was revoked."""
        passage = _Passage(connection.scope, receive, send, lambda: _holds(connection))
        try:
            await self._app(connection.scope, passage.receive, passage.send)
            await passage.close()
        except ClientDisconnect:
            pass  # nobody is left to be told
        except (_RevokedError, ExceptionGroup):
            if not passage.revoked:
                raise
        if passage.revoked and not passage.answered:
            await _deny(connection.scope, receive, send)


async def _deny(scope: Scope, receive: Receive, send: Send) -> None:
    await refuse(scope, receive, send, HTTPStatus.UNAUTHORIZED, _NEEDS_TOKEN, _CHALLENGE)


async def too_many(scope: Scope, receive: Receive, send: Send, wait: int) -> None:
    """Tells who asks too often when to ask again: in `wait` s."""
    headers = {"Retry-After": str(wait)}
    await refuse(scope, receive, send, HTTPStatus.TOO_MANY_REQUESTS, "Too many requests.", headers)


def _identify(connection: HTTPConnection) -> Caller:
    """Who makes a request or opens a WebSocket.

    Raises:
        DeniedError: Nobody who may.
        AgentError: `STORAGE_FAILED`.
    """
    token = _token(connection)
    if token is None and any(name in connection.headers for name in _FORWARDED):
        raise DeniedError
    return gateway_behind(connection).authenticator.caller(token)


def _holds(connection: HTTPConnection) -> bool:
    try:
        return _identify(connection).name == caller_of(connection).name  # what it may decide can change meanwhile
    except (DeniedError, AgentError):
        return False


def _token(connection: HTTPConnection) -> str | None:
    """What came with a request or the beginning of a WebSocket, None if nothing did."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == _SCHEME:
        return token.strip()
    offered = connection.headers.get("sec-websocket-protocol", "").split(",")
    tokens = (one.strip() for one in offered if one.strip().startswith(_SOCKET_PREFIX))
    return next((one.removeprefix(_SOCKET_PREFIX) for one in tokens), None)


_REVOKED = CLOSED + HTTPStatus.UNAUTHORIZED
"""Close code."""

_LEFT = 1003
"""Close code: it was sent what its path does not understand. All others say so themselves."""


LOOK_PERIOD = 0.25
"""Seconds between two looks at the token of a caller who waits and sends nothing."""


class _RevokedError(OSError):
    """As a connection that broke, which is what streams are ready for."""


class _Passage:
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
        raise _RevokedError


class DecisionDemand(Demand):
    """Lets in callers of a role whose token may decide.

    It looks at the token once more: the body, which has been read by now, may have come long after the token was
    checked, and a token that was revoked meanwhile decides nothing.
    """

    async def __call__(self, connection: HTTPConnection) -> Caller:
        """The caller.

        Raises:
            AgentError: `DECISION_NOT_ALLOWED`: an MCP client uses its token.
        """
        await super().__call__(connection)
        try:
            caller = _identify(connection)
        except DeniedError:
            raise HTTPException(HTTPStatus.UNAUTHORIZED, _NEEDS_TOKEN, _CHALLENGE) from None
        if caller.decides is Decides.NOTHING:
            name = caller.name.removeprefix("token:").partition("#")[0]
            raise AgentError(
                ErrorCode.DECISION_NOT_ALLOWED,
                f"The token {name} is used by an MCP client, so it cannot decide anything for a person. Use another "
                f"token, or allow it: reachy-agent tokens allow {name} {TokenScope.APPROVE_AS_MCP_CLIENT}.",
            )
        return caller


def decides(role: Role) -> DecisionDemand:
    """What a path names to say who may decide there.

    Args:
        role: The least that is enough.
    """
    return DecisionDemand(role)
