"""Who a client is and what it may do: roles, callers, and what a path demands of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import IntEnum
from http import HTTPStatus
from typing import Protocol, cast

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from reachy_agent_ros.agent.permissions.principal import Decides, Principal

LOCAL = "local"
"""Name of whoever comes without a token from this machine."""

GATEWAY_PREFIX = "gateway: "
"""Begins the name on the record of whoever calls through the gateway: a token's name is never taken for a node's."""


class Role(IntEnum):
    """Each may do what the ones before it may."""

    OBSERVER = 0
    """Looks and listens; and stops the robot, as everybody may."""
    CALLER = 1
    """Talks to the robot and calls its tools; decides nothing that the robot asks."""
    OPERATOR = 2
    """Also judges it, and answers what the robot asks."""
    ADMINISTRATOR = 3
    """Changes what it can do and what it keeps: tools, policies, memory."""


@dataclass(frozen=True)
class Caller:
    """One who was let in.

    Attributes:
        name: For logs, limits, grants and idempotency keys; never the token. A new token has another, also one that
            is called as one before it was.
        role: What they may do.
        decides: Which questions of the robot they may answer.
    """

    name: str
    role: Role
    decides: Decides = Decides.FOR_OTHERS

    @property
    def principal(self) -> Principal:
        """The same for the agent. Without a token nobody is authenticated."""
        if self.name == LOCAL:
            return Principal("gateway without a token", decides=self.decides)
        return Principal(self.name, True, self.decides)


class Authenticator(Protocol):
    """Finds out who calls."""

    def caller(self, token: str | None) -> Caller:
        """The caller with a token.

        Args:
            token: As it was sent, None if none was.

        Raises:
            DeniedError: It lets nobody in.
        """
        ...

    async def note_mcp_client(self, caller: Caller) -> None:
        """Takes note that an MCP client bears the caller's token; on disk when it returns.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        ...


class DeniedError(Exception):
    """A token is missing, unknown or revoked: the three look alike to who tries."""


class Demand:
    """A dependency that lets in callers of a role and those above it, over HTTP and WebSocket alike.

    Attributes:
        role: The least that is enough.
    """

    def __init__(self, role: Role) -> None:
        self.role = role

    async def __call__(self, connection: HTTPConnection) -> Caller:
        """The caller, whom `AuthenticationMiddleware` has let in.

        It is asynchronous because FastAPI runs other dependencies in a thread, for which a request would have to wait.
        """
        caller = caller_of(connection)
        if caller.role < self.role:
            raise HTTPException(HTTPStatus.FORBIDDEN, f"This needs the role {self.role.name.lower()}.")
        return caller


def requires(role: Role) -> Callable[[HTTPConnection], Awaitable[Caller]]:
    """What a path names to say who may use it.

    Args:
        role: The least that is enough.
    """
    return Demand(role)


def caller_of(connection: HTTPConnection) -> Caller:
    """Who makes a request."""
    return cast(Caller, connection.state.caller)
