"""Grants: approvals that a person gives in advance, for some time or number of calls."""

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
    """An approval in advance.

    Attributes:
        tools: Names, where `*` stands for any characters.
        session_id: Conversation in which it is valid; None for every one.
        rule: The rule whose question it answers, in words; empty for any rule.
        deadline: When it ends; at the end of the process at the latest.
        uses: Remaining calls; None for any number.
        by: Who gave it, and in which way.
        principal: The principal that gave it.
        grant_id: Identifies it, to revoke it.
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
        """Whether it is still valid."""
        return self.uses != 0 and not (self.deadline is not None and self.deadline.passed)

    def covers(self, tool: str, session_id: str, rule: str, asked_by: str = "", exactly: bool = False) -> bool:
        """Whether it answers a rule's question about a tool in a conversation.

        A token cannot grant its own requests unless it may approve them.

        Args:
            tool: Name.
            session_id: Conversation.
            rule: The rule that asks, in words.
            asked_by: Token that the request was made with, empty if none.
            exactly: Whether a grant for the questions of any rule does not count.
        """
        return (
            self.live
            and (self.principal.decides is Decides.EVERYTHING or not self.principal.asked(asked_by))
            and self.session_id in (None, session_id)
            and self.rule in ((rule,) if exactly else ("", rule))
            and any(fnmatchcase(tool, pattern) for pattern in self.tools)
        )

    def check(self) -> None:
        """Raises `INVALID_ARGUMENTS` if it names no tool or has ended already."""
        if not self.tools or not self.live or (self.uses is not None and self.uses < 0):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "A grant names at least one tool and lasts longer than now.")

    def __str__(self) -> str:
        where = "" if self.session_id is None else f" in the conversation {self.session_id!r}"
        how_long = "" if self.deadline is None else f" for another {self.deadline.remaining:.0f} s"
        how_often = "" if self.uses is None else f" {self.uses} times"
        return f"{', '.join(self.tools)}{where}{how_long}{how_often}"


class Grants:
    """All valid grants, for use from any thread.

    They are kept in memory only: after a restart the robot asks again.

    Args:
        on_change: Called with all valid grants, oldest first, after one was added, used up or revoked.
    """

    def __init__(self, on_change: Callable[[list[Grant]], None] = lambda _grants: None) -> None:
        self._on_change = on_change
        self._lock = threading.RLock()
        self._grants: dict[uuid.UUID, Grant] = {}

    def add(self, grant: Grant) -> None:
        """Adds a grant.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it names no tool, or has ended already.
        """
        grant.check()
        with self._lock:
            self._grants[grant.grant_id] = grant
        self._on_change(self.live())

    def live(self) -> list[Grant]:
        """All valid grants, oldest first."""
        with self._lock:
            self._grants = {key: grant for key, grant in self._grants.items() if grant.live}
            return list(self._grants.values())

    def covering(
        self, tool: str, session_id: str, rule: str, asked_by: str = "", exactly: bool = False
    ) -> Grant | None:
        """The oldest grant that covers a call by `Grant.covers`; None if there is none."""
        with self._lock:
            grants = self._grants.values()
            return next((grant for grant in grants if grant.covers(tool, session_id, rule, asked_by, exactly)), None)

    def use(self, tool: str, session_id: str, rule: str, asked_by: str = "", exactly: bool = False) -> Grant | None:
        """Like `covering`, and takes one of the grant's uses."""
        with self._lock:
            grant = self.covering(tool, session_id, rule, asked_by, exactly)
            if grant is None or grant.uses is None:
                return grant
            self._grants[grant.grant_id] = replace(grant, uses=grant.uses - 1)
        self._on_change(self.live())
        return grant

    def revoke(self, grant_id: uuid.UUID) -> Grant:
        """Ends a grant at once; a call that already runs continues.

        Raises:
            AgentError: `NOT_FOUND`.
        """
        with self._lock:
            grant = self._grants.pop(grant_id, None)
        if grant is None or not grant.live:
            raise AgentError(ErrorCode.NOT_FOUND, f"No grant holds under {grant_id}.")
        self._on_change(self.live())
        return grant
