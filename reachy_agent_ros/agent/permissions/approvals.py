"""Approval questions to a person about tool calls, and the answers to these questions."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence

from reachy_agent_ros.agent.permissions.approval_store import ApprovalOutcome, ApprovalStore
from reachy_agent_ros.agent.permissions.pending_approval import ApprovalDecision, PendingApproval
from reachy_agent_ros.core.errors import AgentError, ErrorCode

DECISIONS = 20
"""Number of recent answers that are kept in memory. The audit log contains all of them."""

_log = logging.getLogger(__name__)

_REMEMBERED = 32
"""Maximum number of remembered withdrawn questions, because a client may create any number of conversations."""


class Approvals:
    """Pending approval questions. A question that is not answered in time counts as denied.

    Args:
        time_limit: Time limit for a person's decision, s.
        on_change: Called with all pending questions, oldest first, whenever they change.
        store: Store that keeps the questions across restarts; None keeps them in memory only.
    """

    def __init__(
        self,
        time_limit: float,
        on_change: Callable[[list[PendingApproval]], None],
        store: ApprovalStore | None = None,
    ) -> None:
        self.time_limit = time_limit
        self._on_change = on_change
        self._store = store or ApprovalStore()
        self._lock = threading.Lock()
        self._waiting: dict[uuid.UUID, tuple[PendingApproval, asyncio.Future[ApprovalOutcome]]] = {}
        self._withdrawn: dict[str, PendingApproval] = {}
        self._decided: deque[ApprovalDecision] = deque(maxlen=DECISIONS)
        self._closing = False

    async def ask(self, pending: PendingApproval) -> uuid.UUID:
        """Stores a question and waits for a person's answer, for at most `time_limit`.

        Args:
            pending: Question to ask. After a restart, `restore` returns it with its `run_state`.

        Returns:
            Id of the approval, for the tool server.

        Raises:
            AgentError: `APPROVAL_DENIED`: the answer is no, or there is no answer in time; `CANCELED`: `withdraw_all`
                withdrew the question; `STORAGE_FAILED`: the question could not be stored, so nobody is asked.
        """
        self._store.add(pending)
        return await self.wait(pending)

    async def wait(self, pending: PendingApproval) -> uuid.UUID:
        """Waits for the answer to a question that is already stored. Returns and raises like `ask`."""
        # A wall clock that was set back in the meantime must not extend the time limit.
        seconds = min(max(0.0, pending.expires - time.time()), self.time_limit)
        answer: asyncio.Future[ApprovalOutcome] = asyncio.get_running_loop().create_future()
        with self._lock:
            self._waiting[pending.approval_id] = (pending, answer)
            self._withdrawn.pop(pending.session_id, None)
        self._changed()
        outcome = ApprovalOutcome.WITHDRAWN
        try:
            async with asyncio.timeout(seconds):
                outcome = await answer
        except TimeoutError:
            outcome = ApprovalOutcome.EXPIRED
        finally:
            outcome = self._end(pending, outcome)
        if outcome is ApprovalOutcome.EXPIRED:
            raise AgentError(ErrorCode.APPROVAL_DENIED, "Nobody approved it in time.")
        if outcome is ApprovalOutcome.WITHDRAWN:
            raise AgentError(
                ErrorCode.CANCELED, f"The robot was stopped, which withdrew the request to use {pending.tool}."
            )
        if outcome is not ApprovalOutcome.APPROVED:
            raise AgentError(ErrorCode.APPROVAL_DENIED, "A person said no.")
        return pending.approval_id

    def waiting(self) -> list[PendingApproval]:
        """Returns all pending questions, oldest first."""
        with self._lock:
            return [pending for pending, _ in self._waiting.values()]

    def decided(self) -> Sequence[ApprovalDecision]:
        """Returns at most `DECISIONS` of the latest answers since the process started, newest first."""
        with self._lock:
            return list(reversed(self._decided))

    def decided_by(self, approval_id: uuid.UUID) -> str:
        """Returns the person who answered a question and the channel of the answer; empty if it was not answered.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return self._store.decided_by(approval_id)

    def pending(self, approval_id: uuid.UUID) -> PendingApproval:
        """Returns a pending question by id.

        Raises:
            AgentError: `INVALID_GOAL`: the question is not pending; `STORAGE_FAILED`.
        """
        return self._asked(approval_id)[0]

    def decide(
        self,
        approval_id: uuid.UUID,
        approve: bool,
        by: str,
        record: Callable[[PendingApproval], None] = lambda _pending: None,
    ) -> PendingApproval:
        """Stores a person's answer and waits until it is on disk. Only the first answer counts. Thread-safe.

        Args:
            approval_id: Id of the question.
            approve: Whether the person approves the call.
            by: Name of the person and the channel of the answer.
            record: Called when the answer is on disk, before the asking call continues.

        Returns:
            Answered question.

        Raises:
            AgentError: `INVALID_GOAL`: the question is not pending; `STORAGE_FAILED`: the question remains pending; the
                errors of `record`: the question is answered.
        """
        pending, answer = self._asked(approval_id)
        outcome = ApprovalOutcome.APPROVED if approve else ApprovalOutcome.REFUSED
        self._store.settle(approval_id, outcome, by)
        with self._lock:
            self._decided.append(ApprovalDecision(pending, approve, by, time.time()))
        try:
            record(pending)
        finally:
            answer.get_loop().call_soon_threadsafe(_settle, answer, outcome)
        return pending

    def withdraw_all(self) -> None:
        """Withdraws all pending questions because the robot was stopped. Call it from the event loop."""
        with self._lock:
            answers = [answer for _, answer in self._waiting.values()]
        for answer in answers:
            _settle(answer, ApprovalOutcome.WITHDRAWN)

    def take_withdrawn(self, session_id: str) -> PendingApproval | None:
        """Returns a conversation's last question if it was withdrawn, else None. Returns each question only once."""
        with self._lock:
            return self._withdrawn.pop(session_id, None)

    def note_granted(self, pending: PendingApproval) -> None:
        """Stores an approval that follows from a grant, so that the tool server can find it.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        self._store.add(pending, ApprovalOutcome.APPROVED)

    def restore(self) -> list[PendingApproval]:
        """Returns the previous process's pending questions, to be passed to `wait`. Marks expired questions as expired.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        now = time.time()
        stored = self._store.waiting()
        for pending in stored:
            if pending.expires <= now:
                self._store.settle(pending.approval_id, ApprovalOutcome.EXPIRED)
        return [pending for pending in stored if pending.expires > now]

    def withdraw(self, pending: PendingApproval) -> None:
        """Withdraws a question of the previous process because its turn cannot be resumed.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        self._store.settle(pending.approval_id, ApprovalOutcome.WITHDRAWN)

    def close(self) -> None:
        """Prepares for a shutdown. If a turn is cancelled after this call, its question stays pending for a restart."""
        self._closing = True

    def _asked(self, approval_id: uuid.UUID) -> tuple[PendingApproval, asyncio.Future[ApprovalOutcome]]:
        with self._lock:
            asked = self._waiting.get(approval_id)
        if asked is None:
            raise self._store.complaint(approval_id)
        return asked

    def _end(self, pending: PendingApproval, outcome: ApprovalOutcome) -> ApprovalOutcome:
        """Removes a pending question and returns its final outcome.

        The outcome may differ from `outcome`, because a person may have answered at the last moment.
        """
        withdrawn = outcome is ApprovalOutcome.WITHDRAWN and not self._closing
        with self._lock:
            del self._waiting[pending.approval_id]
            if withdrawn:
                self._withdrawn[pending.session_id] = pending
                if len(self._withdrawn) > _REMEMBERED:
                    del self._withdrawn[next(iter(self._withdrawn))]
        try:
            if outcome is ApprovalOutcome.EXPIRED or withdrawn:
                self._store.settle(pending.approval_id, outcome)
        except AgentError as error:
            if error.code is ErrorCode.INVALID_GOAL:
                # A stop takes precedence over an approval at the same moment.
                return outcome if withdrawn else self._store.outcome(pending.approval_id) or outcome
            _log.warning("%s", error.message)
        finally:
            self._changed()
        return outcome

    def _changed(self) -> None:
        self._on_change(self.waiting())


def _settle(answer: asyncio.Future[ApprovalOutcome], outcome: ApprovalOutcome) -> None:
    if not answer.done():
        answer.set_result(outcome)
