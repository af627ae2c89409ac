"""Lets in who bears a valid token, and asks again with everything that they send or are sent."""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.gateway.access.guard import caller_of
from reachy_agent_ros.gateway.access.passage import Passage, RevokedError
from reachy_agent_ros.gateway.access.rate_limit import RateLimit
from reachy_agent_ros.gateway.caller import Caller, DeniedError
from reachy_agent_ros.gateway.graph import gateway_behind
from reachy_agent_ros.gateway.problem import refuse, status_of

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

NEEDS_TOKEN = "A valid token is needed."  # noqa: S105 - a sentence

CHALLENGE = {"WWW-Authenticate": "Bearer"}
"""Header of the answer that asks for one."""

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""Sent by proxies, which make everybody look as if they sat at this machine."""


class Entrance:
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
            caller = identify(connection)
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
        passage = Passage(connection.scope, receive, send, lambda: _holds(connection))
        try:
            await self._app(connection.scope, passage.receive, passage.send)
            await passage.close()
        except ClientDisconnect:
            pass  # nobody is left to be told
        except (RevokedError, ExceptionGroup):
            if not passage.revoked:
                raise
        if passage.revoked and not passage.answered:
            await _deny(connection.scope, receive, send)


async def _deny(scope: Scope, receive: Receive, send: Send) -> None:
    await refuse(scope, receive, send, HTTPStatus.UNAUTHORIZED, NEEDS_TOKEN, CHALLENGE)


async def too_many(scope: Scope, receive: Receive, send: Send, wait: int) -> None:
    """Tells who asks too often when to ask again: in `wait` s."""
    headers = {"Retry-After": str(wait)}
    await refuse(scope, receive, send, HTTPStatus.TOO_MANY_REQUESTS, "Too many requests.", headers)


def identify(connection: HTTPConnection) -> Caller:
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
        return identify(connection).name == caller_of(connection).name  # what it may decide can change meanwhile
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
