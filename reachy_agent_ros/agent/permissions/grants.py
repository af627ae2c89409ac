"""Grants: approvals given in advance, for a period or a number of calls."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from reachy_agent_ros.agent.permissions.principal import UNKNOWN, Decides, Principal
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode


@dataclass(frozen=True)
class Grant:
    """Approval that a person gives in advance, optionally limited to a period, a number of calls, or both.

    Attributes:
        tools: Names of tools, where `*` stands for any characters.
        session_id: Conversation in which the grant is valid; None for every conversation.
        rule: Description of the rule whose question the grant answers; empty for every rule.
        deadline: End of the grant. Every grant expires when the process exits, at the latest.
        uses: Number of remaining calls; None for no limit.
        by: Name of the person who approved, and the channel.
        principal: Principal that gave the grant.
        grant_id: Id with which the grant is revoked.
    """

    tools: tuple[str, ...]
    session_id: str | None = None
    rule: str = ""
    deadline: Deadline | None = None
    uses: int | None = None
    by: str = ""
    principal: Principal = UNKNOWN
    grant_id: uuid.UUID = field(default_factory=uuid.uuid4)

    @property
    def live(self) -> bool:
        """Whether the grant is still valid."""
        return self.uses != 0 and not (self.deadline is not None and self.deadline.passed)

    def covers(self, tool: str, session_id: str, rule: str, asked_by: str = "", exactly: bool = False) -> bool:
        """Returns whether the grant replaces the approval that a rule requires for a tool in a conversation.

        A token cannot grant its own requests, unless it may approve them.

        Args:
            tool: Name of the tool.
            session_id: Conversation of the call.
            rule: Description of the rule that requires an approval.
            asked_by: Token with which the request was made, empty if none.
            exactly: Whether to ignore grants that are valid for every rule.
        """
        return (
            self.live
            and (self.principal.decides is Decides.EVERYTHING or not self.principal.asked(asked_by))
            and self.session_id in (None, session_id)
            and self.rule in ((rule,) if exactly else ("", rule))
            and any(fnmatchcase(tool, pattern) for pattern in self.tools)
        )

    def check(self) -> None:
        """Checks that the grant names a tool, has not expired and has uses left. Raises `INVALID_ARGUMENTS` if not."""
        if not self.tools or not self.live or (self.uses is not None and self.uses < 0):
            message = "Invalid grant: expected at least one tool, an end in the future and a positive number of uses."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)

    def __str__(self) -> str:
        where = "" if self.session_id is None else f" in the conversation {self.session_id!r}"
        how_long = "" if self.deadline is None else f" for another {self.deadline.remaining:.0f} s"
        how_often = "" if self.uses is None else f" {self.uses} times"
        return f"{', '.join(self.tools)}{where}{how_long}{how_often}"


class Grants:
    """Collection of valid grants. Thread-safe.

    Grants are kept in memory only: after a restart the robot asks again.

    Args:
        on_change: Called with all valid grants, oldest first, after a grant was added or revoked, or a limited number
            of uses was reduced.
    """

    def __init__(self, on_change: Callable[[list[Grant]], None] = lambda _grants: None) -> None:
        self._on_change = on_change
        self._lock = threading.RLock()
        self._grants: dict[uuid.UUID, Grant] = {}

    def add(self, grant: Grant) -> None:
        """Adds a grant.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the grant names no tool, has already expired or has no uses left.
        """
        grant.check()
        with self._lock:
            self._grants[grant.grant_id] = grant
        self._on_change(self.live())

    def live(self) -> list[Grant]:
        """Returns all valid grants, oldest first."""
        with self._lock:
            self._grants = {key: grant for key, grant in self._grants.items() if grant.live}
            return list(self._grants.values())

    def covering(
        self, tool: str, session_id: str, rule: str, asked_by: str = "", exactly: bool = False
    ) -> Grant | None:
        """Returns the oldest grant that covers a call, or None. See `Grant.covers` for the arguments."""
        with self._lock:
            grants = self._grants.values()
            return next((grant for grant in grants if grant.covers(tool, session_id, rule, asked_by, exactly)), None)

    def use(self, tool: str, session_id: str, rule: str, asked_by: str = "", exactly: bool = False) -> Grant | None:
        """Uses a grant once: finds the grant like `covering`, and reduces a limited number of remaining uses by one."""
        with self._lock:
            grant = self.covering(tool, session_id, rule, asked_by, exactly)
            if grant is None or grant.uses is None:
                return grant
            self._grants[grant.grant_id] = replace(grant, uses=grant.uses - 1)
        self._on_change(self.live())
        return grant

    def revoke(self, grant_id: uuid.UUID) -> Grant:
        """Revokes a grant at once. Calls that are already running continue.

        Raises:
            AgentError: `NOT_FOUND`.
        """
        with self._lock:
            grant = self._grants.pop(grant_id, None)
        if grant is None or not grant.live:
            raise AgentError(ErrorCode.NOT_FOUND, f"No valid grant has the id {grant_id}.")
        self._on_change(self.live())
        return grant
