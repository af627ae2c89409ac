"""Enforcement of permissions: asks a person if necessary, and logs decisions before they take effect.

Only `stop` runs before its record is on disk.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import replace

from reachy_agent_ros.agent.permissions.approvals import Approvals
from reachy_agent_ros.agent.permissions.audit_entries import Repetitions, answer_entry, call_entry, grant_entry
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.agent.permissions.grants import Grant
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.permissions import Call, Permissions, PermissionVerdict
from reachy_agent_ros.agent.permissions.principal import UNKNOWN, Principal
from reachy_agent_ros.agent.provenance.judgment import holds_once
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.answer import YesNoAnswer

_log = logging.getLogger(__name__)


class Enforcement:
    """Permits or rejects tool calls. Use it from the agent's event loop.

    Only `decide`, `grant` and `revoke` are thread-safe. They wait for the disk: call them in another thread.

    Args:
        permissions: Judges calls.
        approvals: Asks a person.
        audit: Log of all decisions.
    """

    def __init__(self, permissions: Permissions, approvals: Approvals, audit: AuditLog) -> None:
        self._permissions = permissions
        self._approvals = approvals
        self._audit = audit
        self._repetitions = Repetitions(audit)
        self._approved: dict[uuid.UUID | None, tuple[str, str]] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def must_ask(self, call: Call) -> bool:
        """Returns whether a call needs a person's approval; False for a call that the policy forbids."""
        return self._permissions.judge(call, about_to=False).must_ask

    async def permit(
        self, call: Call, tell: Callable[[PermissionVerdict], None] = lambda _verdict: None
    ) -> uuid.UUID | None:
        """Waits until the call is permitted and the decision is on disk. Does not wait for the record of `stop`.

        For calls that only measure, the record of an identical call may be enough; see `Repetitions`.

        Args:
            call: Call to permit.
            tell: Called with the verdict before a person is asked, to notify the person if the tier requires it.

        Returns:
            Id of the approval, for the tool server; None if no approval was needed.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `INVALID_ARGUMENTS`, `APPROVAL_DENIED`; `CANCELED`: a stop withdrew the
                question; `STORAGE_FAILED`: the question or the decision could not be stored. The call must not be made.
        """
        verdict = self._permissions.judge(call)
        if verdict.refusal is not None:
            await self._write(call_entry(call, verdict, "refused"))
            raise verdict.refusal
        tell(verdict)
        if verdict.must_ask:
            approved = self._approved.pop(call.approval_id, None) == (call.tool, call.arguments_json)
            approval_id = call.approval_id if approved else None
            approval_id = approval_id or await self._asked(call, verdict)
            decided_by = await asyncio.to_thread(self._approvals.decided_by, approval_id)
            await self._write(call_entry(call, verdict, "allowed", approval=str(approval_id), decided_by=decided_by))
            return approval_id
        if verdict.unconditional:
            self._write_beside(call, verdict)
        elif verdict.measures and verdict.grant is None:
            await self._repetitions.write(call_entry(call, verdict, "allowed"))
        else:
            await self._write(call_entry(call, verdict, "allowed"))
        return None if verdict.grant is None else self._granted(call, verdict)

    async def ask(self, call: Call) -> uuid.UUID:
        """Asks a person to approve a call that will be made later.

        Returns:
            Id of the approval, which permits the same call once without another question.

        Raises:
            AgentError: See `permit`.
        """
        verdict = self._permissions.judge(call, about_to=False)
        if verdict.refusal is not None:
            await self._write(call_entry(call, verdict, "refused"))
            raise verdict.refusal
        approval_id = await self._asked(call, verdict)
        self._approved[approval_id] = (call.tool, call.arguments_json)
        return approval_id

    async def resume(self, pending: PendingApproval) -> uuid.UUID:
        """Waits for the answer to a restored question (see `Approvals.restore`). Like `ask`, returns the approval's id.

        Raises:
            AgentError: `APPROVAL_DENIED`; `CANCELED`: a stop withdrew the question.
        """
        approval_id = await self._approvals.wait(pending)
        self._approved[approval_id] = (pending.tool, pending.arguments_json)
        return approval_id

    def decide(
        self, approval_id: uuid.UUID, answer: YesNoAnswer, who: str, comment: str = "", principal: Principal = UNKNOWN
    ) -> PendingApproval:
        """Applies a person's answer and returns its question. Approval for a whole session or period also adds a grant.

        No grant is added if the question's rule permits single calls only (see `holds_once`). An answer that the
        principal may not give is rejected and logged, and the question remains pending.

        Args:
            approval_id: Id of the question.
            answer: Yes or no, and its scope.
            who: Name of the person and the channel of the answer, for the log.
            comment: Words of the person, logged with the decision.
            principal: Principal that answered.

        Raises:
            AgentError: `INVALID_GOAL`: the question is not pending; `INVALID_ARGUMENTS`, `DECISION_NOT_ALLOWED`: the
                question remains pending; `STORAGE_FAILED`.
        """
        answer.check()
        pending = self._approvals.pending(approval_id)
        try:
            principal.require_may_answer(pending.tool, pending.asked_by, answer.approve)
        except AgentError as error:
            self._audit.append(answer_entry(pending, "rejected", who, error.message))
            raise

        def record(pending: PendingApproval) -> None:
            self._audit.append(answer_entry(pending, "approved" if answer.approve else "refused", who, comment))
            if answer.approve and (answer.whole_session or answer.seconds) and not holds_once(pending.rule):
                end = Deadline(answer.seconds) if answer.seconds else None
                self.grant(Grant((pending.tool,), pending.session_id, pending.rule, end, by=who, principal=principal))

        return self._approvals.decide(approval_id, answer.approve, who, record)

    def grant(self, grant: Grant) -> None:
        """Adds a grant and logs it.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, `STORAGE_FAILED`; `DECISION_NOT_ALLOWED`: the principal may not decide.
        """
        grant.check()
        grant.principal.require_may_answer(", ".join(grant.tools), "", approve=True)
        self._audit.append(grant_entry("grant", "granted", grant, grant.by))
        self._permissions.grants.add(grant)

    def revoke(self, grant_id: uuid.UUID, who: str) -> None:
        """Revokes a grant and logs the revocation.

        Raises:
            AgentError: `NOT_FOUND`; `STORAGE_FAILED`: the grant has ended, but this is not logged.
        """
        self._audit.append(grant_entry("revoke", "revoked", self._permissions.grants.revoke(grant_id), who))

    def withdraw_all(self) -> None:
        """Withdraws every pending question, because the robot was stopped."""
        self._approvals.withdraw_all()

    def close(self) -> None:
        """Logs the counts of repeated calls that have not been logged yet."""
        self._repetitions.close()

    async def _asked(self, call: Call, verdict: PermissionVerdict) -> uuid.UUID:
        await self._write(call_entry(call, verdict, "asked"))
        try:
            return await self._approvals.ask(_question(call, verdict, self._approvals.time_limit))
        except AgentError as error:
            withdrawn = error.code is ErrorCode.CANCELED
            await self._write(call_entry(call, verdict, "withdrawn" if withdrawn else "refused", reason=error.message))
            raise
        except asyncio.CancelledError:
            # Not in a thread: a cancelled task cannot wait for one, and a record takes milliseconds.
            self._audit.append(call_entry(call, verdict, "withdrawn"))
            raise

    def _granted(self, call: Call, verdict: PermissionVerdict) -> uuid.UUID:
        # The turn does not wait for an answer, so the database needs no state for resuming it.
        noted = replace(_question(call, verdict, time_limit=0.0), reason="", run_state="")
        self._approvals.note_granted(noted)
        return noted.approval_id

    def _write_beside(self, call: Call, verdict: PermissionVerdict) -> None:
        """Logs a call in the background, so that a stop does not wait for the disk or for another process."""
        writing = asyncio.create_task(self._write(call_entry(call, verdict, "allowed")))
        self._writing.add(writing)
        writing.add_done_callback(self._written)

    def _written(self, writing: asyncio.Task[None]) -> None:
        self._writing.discard(writing)
        if not writing.cancelled() and (error := writing.exception()) is not None:
            _log.error("The robot was stopped, but the stop could not be logged: %s", error)

    async def _write(self, entry: AuditEntry) -> None:
        await asyncio.to_thread(self._audit.append, entry)


def _question(call: Call, verdict: PermissionVerdict, time_limit: float) -> PendingApproval:
    now = time.time()
    return PendingApproval(
        call.tool,
        call.arguments_json,
        call.turn_id,
        call.requester,
        requested=now,
        expires=now + time_limit,
        session_id=call.session_id,
        reason=verdict.reason,
        rule=verdict.rule,
        run_state=call.run_state,
        asked_by=call.asked_by,
    )
