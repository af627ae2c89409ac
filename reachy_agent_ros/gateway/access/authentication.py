"""Authentication of HTTP and WebSocket connections by bearer token, which is checked until the connection closes."""

from __future__ import annotations

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from reachy_agent_ros.agent.permissions.principal import Decides
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.rate_limit import RateLimit
from reachy_agent_ros.gateway.access.revocation import RevocationGuard, RevokedError
from reachy_agent_ros.gateway.callers import AuthenticationError, Caller, RequireRole, caller_of
from reachy_agent_ros.gateway.graph import gateway_behind
from reachy_agent_ros.gateway.problem import refuse, status_of
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.gateway.roles import Scope as TokenScope

PROTECTED_PREFIXES = ("/api/", "/metrics", "/mcp")
"""Path prefixes whose callers are authenticated. The console's own files are public: the console asks for the token."""

STOP = "/api/v1/stop"
"""Path without a rate limit: it must always be possible to stop the robot."""

FEEDBACK = "/api/v1/feedback"
CHAT = ("/api/v1/chat", "/api/v1/chat/stream")
"""Paths whose rate limit `EmergencyStopMiddleware` applies later, because their body may contain a stop."""

_SCHEME = "bearer"
_SOCKET_PREFIX = "bearer."
"""Prefix of the WebSocket subprotocol that carries a token, because browsers cannot set headers. It is never echoed."""

_NEEDS_TOKEN = "A valid token is required."  # noqa: S105 - a sentence

_CHALLENGE = {"WWW-Authenticate": "Bearer"}
"""Response header that requests a bearer token."""

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""Headers that proxies send. Behind a proxy, every client appears to be local, so these always require a token."""


class AuthenticationMiddleware:
    """ASGI middleware that authenticates each request and applies the rate limit, before the body is read.

    Args:
        app: Next ASGI application. It finds the caller in `request.state.caller`, and in `request.state.wait` the
            number of seconds that feedback or a chat message exceeding the rate limit has to wait.
        rate: Rate limit per caller.
    """

    def __init__(self, app: ASGIApp, rate: RateLimit) -> None:
        self._app = app
        self._rate = rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one ASGI connection."""
        if scope["type"] == "lifespan" or not scope["path"].startswith(PROTECTED_PREFIXES):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        try:
            caller = _identify(connection)
        except AuthenticationError:
            await _deny(scope, receive, send)
            return
        except AgentError as error:
            await refuse(scope, receive, send, status_of(error.code), error.message)
            return
        wait = 0 if scope["path"] == STOP else await self._rate.wait(caller.name)
        if wait and not (scope.get("method") == "POST" and scope["path"] in (FEEDBACK, *CHAT)):
            await send_too_many_requests(scope, receive, send, wait)
            return
        connection.state.caller = caller
        connection.state.wait = wait
        await self._serve(connection, receive, send)

    async def _serve(self, connection: HTTPConnection, receive: Receive, send: Send) -> None:
        """Runs the application while the token is valid. After a revocation, forwards no more messages."""
        guard = RevocationGuard(connection.scope, receive, send, lambda: _is_still_valid(connection))
        try:
            await self._app(connection.scope, guard.receive, guard.send)
            await guard.close()
        except ClientDisconnect:
            pass  # the client has left, so nobody receives a response, or its token was revoked: see below
        except (RevokedError, ExceptionGroup):
            if not guard.revoked:
                raise
        if guard.revoked and not guard.answered:
            await _deny(connection.scope, receive, send)


async def _deny(scope: Scope, receive: Receive, send: Send) -> None:
    await refuse(scope, receive, send, HTTPStatus.UNAUTHORIZED, _NEEDS_TOKEN, _CHALLENGE)


async def send_too_many_requests(scope: Scope, receive: Receive, send: Send, wait: int) -> None:
    """Responds with status 429 and asks the client to retry after `wait` seconds."""
    headers = {"Retry-After": str(wait)}
    await refuse(scope, receive, send, HTTPStatus.TOO_MANY_REQUESTS, "Too many requests.", headers)


def _identify(connection: HTTPConnection) -> Caller:
    """Returns the caller of a request or WebSocket.

    Raises:
        AuthenticationError: The token is missing, unknown or revoked.
        AgentError: `STORAGE_FAILED`.
    """
    token = _token(connection)
    if token is None and any(name in connection.headers for name in _FORWARDED):
        raise AuthenticationError
    return gateway_behind(connection).authenticator.authenticate(token)


def _is_still_valid(connection: HTTPConnection) -> bool:
    try:
        return _identify(connection).name == caller_of(connection).name  # permissions can change at any time
    except (AuthenticationError, AgentError):
        return False


def _token(connection: HTTPConnection) -> str | None:
    """Returns the token of a request or a WebSocket handshake, or None if it contains no token."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == _SCHEME:
        return token.strip()
    offered = connection.headers.get("sec-websocket-protocol", "").split(",")
    tokens = (one.strip() for one in offered if one.strip().startswith(_SOCKET_PREFIX))
    return next((one.removeprefix(_SOCKET_PREFIX) for one in tokens), None)


class RequireDecisionRole(RequireRole):
    """FastAPI dependency that requires a minimum role and a token that may make decisions.

    It checks the token again, because the request body may have arrived long after the first check, and the token
    may have been revoked in the meantime.
    """

    async def __call__(self, connection: HTTPConnection) -> Caller:
        """Returns the caller, after checking its role and its token.

        Raises:
            HTTPException: 403 if the role is too low, 401 if the token was revoked.
            AgentError: `DECISION_NOT_ALLOWED`: an MCP client has used the token; `STORAGE_FAILED`.
        """
        await super().__call__(connection)
        try:
            caller = _identify(connection)
        except AuthenticationError:
            raise HTTPException(HTTPStatus.UNAUTHORIZED, _NEEDS_TOKEN, _CHALLENGE) from None
        if caller.decides is Decides.NOTHING:
            name = caller.name.removeprefix("token:").partition("#")[0]
            raise AgentError(
                ErrorCode.DECISION_NOT_ALLOWED,
                f"The token {name} is used by an MCP client, so it cannot decide anything for a person. Use another "
                f"token, or allow it: reachy-agent tokens allow {name} {TokenScope.APPROVE_AS_MCP_CLIENT}.",
            )
        return caller


def decides(role: Role) -> RequireDecisionRole:
    """Returns the FastAPI dependency for routes with which clients make decisions on behalf of a person.

    Args:
        role: Minimum role that is admitted.
    """
    return RequireDecisionRole(role)
