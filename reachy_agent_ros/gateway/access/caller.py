"""Who calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from reachy_agent_ros.gateway.access.role import Role

GATEWAY_PREFIX = "gateway: "
"""Begins the name on the record of whoever calls through the gateway: a token's name is never taken for a node's."""


@dataclass(frozen=True)
class Caller:
    """One who was let in.

    Attributes:
        name: For logs, limits, grants and idempotency keys; never the token. A new token has another, also one that
            is called as one before it was.
        role: What they may do.
    """

    name: str
    role: Role


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


class DeniedError(Exception):
    """A token is missing, unknown or revoked: the three look alike to who tries."""
