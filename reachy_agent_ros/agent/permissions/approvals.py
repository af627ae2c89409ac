"""Tool calls that wait for a person's yes."""

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
"""Answers that can be looked at; all of them are in the audit log."""

_log = logging.getLogger(__name__)

_REMEMBERED = 32
"""Conversations whose last question is known to be withdrawn; a client may invent any number of names for its own."""


class Approvals:
    """What waits for a decision; silence means no.

    Args:
        time_limit: s a person has to decide.
        on_change: Called with everything that waits, oldest first, whenever that changes.
        store: Where it outlives the process; in memory only where None.
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
        """Stores a question and waits for a person's answer, for `time_limit` at most.

        Args:
            pending: What is asked; `restore` gives its `run_state` back after a restart.

        Returns:
            The approval's id, for the tool server.

        Raises:
            AgentError: `APPROVAL_DENIED` when the answer is no or does not come in time; `CANCELED` when the question
                is withdrawn by `withdraw_all`; `STORAGE_FAILED` when the question could not be stored, and nobody is
                asked then.
        """
        self._store.add(pending)
        return await self.wait(pending)

    async def wait(self, pending: PendingApproval) -> uuid.UUID:
        """Waits for the answer to a question that is stored already, as `ask` does."""
        # A wall clock that was set back in between must not give more time than there ever was.
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
            raise AgentError(ErrorCode.APPROVAL_DENIED, f"Nobody approved {pending.tool} in time.")
        if outcome is ApprovalOutcome.WITHDRAWN:
            raise AgentError(
                ErrorCode.CANCELED, f"The robot was stopped, which withdrew the request to use {pending.tool}."
            )
        if outcome is not ApprovalOutcome.APPROVED:
            raise AgentError(ErrorCode.APPROVAL_DENIED, f"A person refused {pending.tool}.")
        return pending.approval_id

    def waiting(self) -> list[PendingApproval]:
        """Everything that waits, oldest first."""
        with self._lock:
            return [pending for pending, _ in self._waiting.values()]

    def decided(self) -> Sequence[ApprovalDecision]:
        """The last answers since the process began, newest first."""
        with self._lock:
            return list(reversed(self._decided))

    def decided_by(self, approval_id: uuid.UUID) -> str:
        """Who answered a question, and in which way; empty where nobody did.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return self._store.decided_by(approval_id)

    def pending(self, approval_id: uuid.UUID) -> PendingApproval:
        """A question that waits.

        Raises:
            AgentError: `INVALID_GOAL` when nothing of that id waits, or not any more; `STORAGE_FAILED`.
        """
        return self._asked(approval_id)[0]

    def decide(self, approval_id: uuid.UUID, approve: bool, by: str) -> PendingApproval:
        """Takes a person's answer, from any thread; the first one counts, and is on disk when this returns.

        Args:
            approval_id: Of the question.
            approve: Yes or no.
            by: Who answers, and in which way.

        Returns:
            What was decided.

        Raises:
            AgentError: `INVALID_GOAL` when nothing of that id waits, or not any more; `STORAGE_FAILED`, and it
                still waits then.
        """
        pending, answer = self._asked(approval_id)
        outcome = ApprovalOutcome.APPROVED if approve else ApprovalOutcome.REFUSED
        self._store.settle(approval_id, outcome, by)
        with self._lock:
            self._decided.append(ApprovalDecision(pending, approve, by, time.time()))
        answer.get_loop().call_soon_threadsafe(_settle, answer, outcome)
        return pending

    def withdraw_all(self) -> None:
        """Ends everything that waits, because the robot was stopped. Call it from the event loop."""
        with self._lock:
            answers = [answer for _, answer in self._waiting.values()]
        for answer in answers:
            _settle(answer, ApprovalOutcome.WITHDRAWN)

    def take_withdrawn(self, session_id: str) -> PendingApproval | None:
        """The last question of a conversation if it was withdrawn, once; None if there is none."""
        with self._lock:
            return self._withdrawn.pop(session_id, None)

    def note_granted(self, pending: PendingApproval) -> None:
        """Stores a yes that was given beforehand, so that the tool server finds it.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        self._store.add(pending, ApprovalOutcome.APPROVED)

    def restore(self) -> list[PendingApproval]:
        """What was waiting when the last process ended and still has time; `wait` for each. What has none is a no.

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
        """Ends a question of the last process that nothing can go on with.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        self._store.settle(pending.approval_id, ApprovalOutcome.WITHDRAWN)

    def close(self) -> None:
        """From now on a question whose turn is cancelled goes on waiting, for the next process."""
        self._closing = True

    def _asked(self, approval_id: uuid.UUID) -> tuple[PendingApproval, asyncio.Future[ApprovalOutcome]]:
        with self._lock:
            asked = self._waiting.get(approval_id)
        if asked is None:
            raise self._store.complaint(approval_id)
        return asked

    def _end(self, pending: PendingApproval, outcome: ApprovalOutcome) -> ApprovalOutcome:
        """Forgets a question; returns how it ended in truth: a person may have answered in the last moment."""
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
                # A stop wins over a yes that came at the same moment.
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
