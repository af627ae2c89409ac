"""What a path demands of its callers."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from reachy_agent_ros.gateway.access.caller import Caller, DeniedError
from reachy_agent_ros.gateway.access.role import Role
from reachy_agent_ros.gateway.graph import gateway_of

_SCHEME = "bearer"
_SOCKET_PREFIX = "bearer."
"""Browsers cannot send headers with a WebSocket, so the token comes as a subprotocol that is never echoed."""


def requires(role: Role) -> Callable[[HTTPConnection], Caller]:
    """A dependency that lets in callers of a role and those above it, over HTTP and WebSocket alike.

    Args:
        role: The least that is enough.
    """

    def caller_of(connection: HTTPConnection) -> Caller:
        try:
            caller = gateway_of(connection).authenticator.caller(token_of(connection))
        except DeniedError:
            headers = {"WWW-Authenticate": "Bearer"}
            raise HTTPException(HTTPStatus.UNAUTHORIZED, "A valid token is needed.", headers) from None
        if caller.role < role:
            raise HTTPException(HTTPStatus.FORBIDDEN, f"This needs the role {role.name.lower()}.")
        return caller

    return caller_of


def token_of(connection: HTTPConnection) -> str | None:
    """The token that came with a request or the beginning of a WebSocket, None if none did."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == _SCHEME and token.strip():
        return token.strip()
    offered = connection.headers.get("sec-websocket-protocol", "").split(",")
    return next((one.strip().removeprefix(_SOCKET_PREFIX) for one in offered if _SOCKET_PREFIX in one), None)
