"""The records of calls, answers and grants in the audit log."""

from __future__ import annotations

from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.agent.permissions.call import Call
from reachy_agent_ros.agent.permissions.grants import Grant
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.permissions import Verdict


def call_entry(
    call: Call, verdict: Verdict, outcome: str, approval: str = "", reason: str = "", decided_by: str = ""
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
