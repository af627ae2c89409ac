"""What is said while the robot waits for a yes: taken as the answer, or asked for again."""

from __future__ import annotations

import re

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.conversation.turn import Turn
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX
from reachy_agent_ros.agent.permissions.approvals import Approvals
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.tool_gate import ToolGate
from reachy_agent_ros.agent.provenance.judgement import asks_for
from reachy_agent_ros.nlu.answer import read_answer

_PLAIN_NO = re.compile(r"\s*(?:no|nope|nah)\b(?!.*\bstop)", re.IGNORECASE)


class Questions:
    """Questions to a person, as a conversation meets them. Use it from the mind's event loop.

    Args:
        approvals: What waits for a person.
        gate: Decides, and asks again.
    """

    def __init__(self, approvals: Approvals, gate: ToolGate) -> None:
        self._approvals = approvals
        self._gate = gate

    def are_refused_by(self, turn: Turn) -> bool:
        """Whether a turn's sentence is a no to a question, which nobody may take for a stop: alone it is one."""
        return self._of(turn) is not None and _PLAIN_NO.match(turn.request.text) is not None

    def answered_by(self, turn: Turn) -> bool:
        """Takes what is said while a person is asked: a yes, a no, or nothing clear, and then it asks again.

        Returns:
            True if the sentence answered a question that waits or was just withdrawn; otherwise it is an ordinary turn.

        Raises:
            AgentError: `INVALID_GOAL`: the question was answered, or its time ran out, a moment ago; `STORAGE_FAILED`;
                `DECISION_NOT_ALLOWED`: who says it may not answer, and it still waits then.
        """
        pending = self._of(turn)
        if pending is None:
            return self._answers_withdrawn(turn)
        turn.result.agent = REFLEX
        answer = read_answer(turn.request.text)
        if answer is None:
            why = pending.reason if asks_for(pending.rule) else ""
            turn.add(self._gate.question(pending.tool, pending.arguments_json, pending.session_id, why))
            return True
        request = turn.request
        self._gate.enforcement.decide(pending.approval_id, answer, request.speaker, principal=request.principal)
        turn.add(phrases.answered(pending.tool, answer.approve))
        return True

    def _answers_withdrawn(self, turn: Turn) -> bool:
        """Says that an answer has no effect if the conversation's last question was withdrawn."""
        withdrawn = self._approvals.take_withdrawn(turn.request.session_id)
        if withdrawn is None or read_answer(turn.request.text) is None:
            return False
        turn.result.agent = REFLEX
        turn.add(phrases.withdrawn(withdrawn.tool))
        return True

    def _of(self, turn: Turn) -> PendingApproval | None:
        """The oldest question of the turn's conversation."""
        waiting = self._approvals.waiting()
        return next((pending for pending in waiting if pending.session_id == turn.request.session_id), None)
