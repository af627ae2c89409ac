"""What a path demands of its callers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import cast

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from reachy_agent_ros.gateway.caller import Caller, Role


class Demand:
    """A dependency that lets in callers of a role and those above it, over HTTP and WebSocket alike.

    Attributes:
        role: The least that is enough.
    """

    def __init__(self, role: Role) -> None:
        self.role = role

    async def __call__(self, connection: HTTPConnection) -> Caller:
        """The caller, whom `Entrance` has let in; asynchronous, because FastAPI has all others wait for a thread."""
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
