"""Audit log entries for calls, answers and grants. Repetitions of a call are combined into one record."""

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
"""Time during which repetitions of a call are only counted, s."""

_log = logging.getLogger(__name__)


def call_entry(
    call: Call, verdict: PermissionVerdict, outcome: str, approval: str = "", reason: str = "", decided_by: str = ""
) -> AuditEntry:
    """Returns the audit entry for a tool call and its outcome."""
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
    """Returns the audit entry for a person's answer. The answer may have been rejected."""
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
    """Returns the audit entry for the start or the end of a grant."""
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
    """Combines identical calls: logs the first call at once, and the number of repetitions after `WINDOW`.

    Otherwise a program that reads the robot's state a hundred times a second would wait for the disk just as often,
    and write gigabytes a day. Call it from the agent's event loop.

    Args:
        audit: Log of the calls.
    """

    def __init__(self, audit: AuditLog) -> None:
        self._audit = audit
        self._followed: dict[AuditEntry, int] = {}

    async def write(self, entry: AuditEntry) -> None:
        """Logs a call and waits until it is on disk. If an identical call is already on disk, only counts the call.

        Raises:
            AgentError: `STORAGE_FAILED`: the call could not be logged.
        """
        first = replace(entry, turn_id="")
        if first in self._followed:
            self._followed[first] += 1
            return
        await asyncio.to_thread(self._audit.append, entry)
        if first not in self._followed:  # an identical call may have been logged at the same time
            self._followed[first] = 0
            asyncio.get_running_loop().call_later(WINDOW, self._end, first)

    def close(self) -> None:
        """Logs the repetitions counted so far."""
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
            _log.error("%d calls to %s could not be logged: %s", followed, first.tool, error.message)
