"""What the audit log records about calls, answers and grants, and how repeated measurements share a record."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.agent.permissions.grants import Grant
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.permissions import Call, PermissionVerdict
from reachy_agent_ros.core.errors import AgentError

WINDOW = 10.0
"""Seconds in which repetitions of a call are only counted."""

_log = logging.getLogger(__name__)


def call_entry(
    call: Call, verdict: PermissionVerdict, outcome: str, approval: str = "", reason: str = "", decided_by: str = ""
) -> AuditEntry:
    """What became of a call."""
    return AuditEntry(
        event="call",
        outcome=outcome,
        who=call.requester,
        tool=call.tool,
        arguments_json=call.arguments_json,
        tier=verdict.tier.name.lower(),
        rule=verdict.rule,
        grant="" if verdict.grant is None else str(verdict.grant.grant_id),
        approval=approval,
        reason=reason or verdict.reason,
        session_id=call.session_id,
        turn_id=str(call.turn_id),
        asked_by=call.asked_by,
        decided_by=decided_by if verdict.grant is None else verdict.grant.by,
        origin=call.origin,
    )


def answer_entry(pending: PendingApproval, outcome: str, who: str, reason: str) -> AuditEntry:
    """An answer to a question, or that it was rejected."""
    return AuditEntry(
        "answer",
        outcome,
        who,
        pending.tool,
        approval=str(pending.approval_id),
        reason=reason,
        session_id=pending.session_id,
        turn_id=str(pending.turn_id),
        asked_by=pending.asked_by,
        decided_by=who,
    )


def grant_entry(event: str, outcome: str, grant: Grant, who: str) -> AuditEntry:
    """A grant, or its end."""
    return AuditEntry(
        event,
        outcome,
        who,
        ", ".join(grant.tools),
        rule=grant.rule,
        grant=str(grant.grant_id),
        reason=str(grant),
        session_id=grant.session_id or "",
        decided_by=who,
    )


class Repetitions:
    """Writes down the first of equal calls at once, and how many followed within `WINDOW` when that is over.

    A program that looks at the robot a hundred times a second would otherwise wait for the disk as often, and fill it
    by gigabytes a day. Use it from the mind's event loop.

    Args:
        audit: Where the records go.
    """

    def __init__(self, audit: AuditLog) -> None:
        self._audit = audit
        self._followed: dict[AuditEntry, int] = {}

    async def write(self, entry: AuditEntry) -> None:
        """Returns when the call is on disk, or counted beside an equal one that is.

        Raises:
            AgentError: `STORAGE_FAILED`: it is neither.
        """
        first = replace(entry, turn_id="")
        if first in self._followed:
            self._followed[first] += 1
            return
        await asyncio.to_thread(self._audit.append, entry)
        if first not in self._followed:  # an equal one may have been written beside it
            self._followed[first] = 0
            asyncio.get_running_loop().call_later(WINDOW, self._end, first)

    def close(self) -> None:
        """Writes down what was counted."""
        for first in list(self._followed):
            self._write_count(first, self._followed.pop(first))

    def _end(self, first: AuditEntry) -> None:
        followed = self._followed.pop(first, 0)
        if followed:
            asyncio.get_running_loop().run_in_executor(None, self._write_count, first, followed)

    def _write_count(self, first: AuditEntry, followed: int) -> None:
        if not followed:
            return
        try:
            self._audit.append(replace(first, reason=f"{first.reason}; {followed} times more within {WINDOW:g} s"))
        except AgentError as error:
            _log.error("%d calls of %s are not written down: %s", followed, first.tool, error.message)
