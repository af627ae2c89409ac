"""Callers of the gateway: identities, and the dependency that requires a role."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol, cast

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from reachy_agent_ros.agent.permissions.principal import Decides, Principal
from reachy_agent_ros.gateway.roles import Role

LOCAL = "local"
"""Name of a caller without a token on this machine."""

GATEWAY_PREFIX = "gateway: "
"""Prefix of gateway callers in records, so that the name of a token is never mistaken for the name of a node."""


@dataclass(frozen=True)
class Caller:
    """Authenticated client of the gateway.

    Attributes:
        name: Identity of the caller in logs, rate limits, grants and idempotency keys. Never contains the token. A new
            token has a new identity, even if it reuses an earlier name.
        role: Permission level of the caller.
        decides: Approval questions that the caller may answer.
    """

    name: str
    role: Role
    decides: Decides = Decides.FOR_OTHERS

    @property
    def principal(self) -> Principal:
        """Principal under which the agent knows the caller. A caller without a token is not authenticated."""
        if self.name == LOCAL:
            return Principal("gateway without a token", decides=self.decides)
        return Principal(self.name, True, self.decides)


class Authenticator(Protocol):
    """Identifies callers by their token."""

    def authenticate(self, token: str | None) -> Caller:
        """Returns the caller that owns a token.

        Args:
            token: Token as sent, or None.

        Raises:
            AuthenticationError: The token is missing, unknown or revoked.
            AgentError: `STORAGE_FAILED`: the tokens cannot be read.
        """
        ...

    async def note_mcp_client(self, caller: Caller) -> None:
        """Records that an MCP client uses the caller's token. Returns once the record is on disk.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        ...


class AuthenticationError(Exception):
    """Error for a missing, unknown or revoked token. The response does not reveal which of the three is the case."""


class RequireRole:
    """Dependency that admits callers with at least a given role, over HTTP and WebSocket.

    Attributes:
        role: Minimum role that is admitted.
    """

    def __init__(self, role: Role) -> None:
        self.role = role

    async def __call__(self, connection: HTTPConnection) -> Caller:
        """Returns the caller that `AuthenticationMiddleware` has identified.

        Asynchronous because FastAPI runs synchronous dependencies in a thread, which would delay the request.

        Raises:
            HTTPException: 403: the role of the caller is too low.
        """
        caller = caller_of(connection)
        if caller.role < self.role:
            raise HTTPException(HTTPStatus.FORBIDDEN, f"This requires the role {self.role.name.lower()}.")
        return caller


def requires(role: Role) -> Callable[[HTTPConnection], Awaitable[Caller]]:
    """Returns the dependency that admits callers with at least the given role.

    Args:
        role: Minimum role that is admitted.
    """
    return RequireRole(role)


def caller_of(connection: HTTPConnection) -> Caller:
    """Returns the caller of a request."""
    return cast(Caller, connection.state.caller)
