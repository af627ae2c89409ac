"""Handling of answers to pending approval questions in a conversation."""

from __future__ import annotations

import asyncio
import re
from functools import partial

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX
from reachy_agent_ros.agent.permissions.approvals import Approvals
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.tool_executor import ToolExecutor
from reachy_agent_ros.agent.provenance.judgment import asks_for
from reachy_agent_ros.nlu.answer import read_answer

_PLAIN_NO = re.compile(r"\s*(?:no|nope|nah)\b(?!.*\bstop)", re.IGNORECASE)


class Questions:
    """Handles sentences while a tool call waits for approval. Not thread-safe: use from one event loop.

    Args:
        approvals: Tool calls that wait for approval.
        executor: Applies the answer, and phrases the question.
    """

    def __init__(self, approvals: Approvals, executor: ToolExecutor) -> None:
        self._approvals = approvals
        self._executor = executor

    def are_refused_by(self, turn: Turn) -> bool:
        """Returns whether an approval is pending and the turn begins with "no", without a later "stop".

        If no approval is pending, a plain "no" stops the robot.
        """
        return self._of(turn) is not None and _PLAIN_NO.match(turn.request.text) is not None

    async def answered_by(self, turn: Turn) -> bool:
        """Approves or denies the pending question of the conversation. Asks again if the answer is unclear.

        Returns:
            True if the turn was an answer and has been handled; False if it is an ordinary turn.

        Raises:
            AgentError: `INVALID_GOAL`: the question was answered or expired a moment ago; `STORAGE_FAILED`;
                `DECISION_NOT_ALLOWED`: the speaker may not answer this question, which remains pending.
        """
        pending = self._of(turn)
        if pending is None:
            return self._answers_withdrawn(turn)
        turn.result.agent = REFLEX
        answer = read_answer(turn.request.text)
        if answer is None:
            why = pending.reason if asks_for(pending.rule) else ""
            turn.add(self._executor.question(pending.tool, pending.arguments_json, pending.session_id, why))
            return True
        request = turn.request
        decide = partial(self._executor.enforcement.decide, principal=request.principal)
        await asyncio.to_thread(decide, pending.approval_id, answer, request.speaker)
        turn.add(phrases.answered(pending.tool, answer.approve))
        return True

    def _answers_withdrawn(self, turn: Turn) -> bool:
        """Replies that an answer has no effect if the conversation's last question was withdrawn."""
        withdrawn = self._approvals.take_withdrawn(turn.request.session_id)
        if withdrawn is None or read_answer(turn.request.text) is None:
            return False
        turn.result.agent = REFLEX
        turn.add(phrases.withdrawn(withdrawn.tool))
        return True

    def _of(self, turn: Turn) -> PendingApproval | None:
        """Returns the oldest pending question of the turn's conversation; None if no question is pending."""
        waiting = self._approvals.waiting()
        return next((pending for pending in waiting if pending.session_id == turn.request.session_id), None)
