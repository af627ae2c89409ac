"""Pending human approval of a tool call, with the question in words and the decision."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field

from reachy_agent_ros.agent.request_phrases import request
from reachy_agent_ros.agent.terminal_text import truncated

_MOST_CHARACTERS = 240
"""Maximum length of a request in a question, characters. A longer text would be tiring to listen to."""

_ANSWERS = "Please say yes or no."


@dataclass(frozen=True)
class PendingApproval:
    """Tool call that waits for a person's answer.

    Attributes:
        tool: Name of the tool.
        arguments_json: Arguments of the call, a JSON object.
        turn_id: Turn of the call.
        requester: Agent that makes the call.
        requested: Wall-clock time of the question, s since the epoch.
        expires: Wall-clock time at which the question expires, s since the epoch.
        session_id: Conversation of the call.
        reason: Reason for the question, for people.
        rule: Description of the rule that requires the approval.
        run_state: State from which the turn resumes after a restart, in the turn's own format.
        asked_by: Token with which the request was made, empty if none.
        approval_id: Id of the question, to which an answer refers.
    """

    tool: str
    arguments_json: str
    turn_id: uuid.UUID
    requester: str
    requested: float
    expires: float
    session_id: str = ""
    reason: str = ""
    rule: str = ""
    run_state: str = ""
    asked_by: str = ""
    approval_id: uuid.UUID = field(default_factory=uuid.uuid4)


@dataclass(frozen=True)
class ApprovalDecision:
    """A person's answer to a question.

    Attributes:
        pending: Answered question.
        approved: Whether the call was approved.
        by: Name of the person who answered, and the channel.
        decided: Wall-clock time of the answer, s since the epoch.
    """

    pending: PendingApproval
    approved: bool
    by: str
    decided: float


def question(tool: str, arguments_json: str, why: str = "") -> str:
    """Formulates the question about a call that waits for approval, in two sentences.

    Args:
        tool: Name of the tool.
        arguments_json: Arguments of the call, a JSON object.
        why: Reason for the question, a clause without a final period: "it follows text from a web page".
    """
    reason = f"{why[:1].upper()}{why[1:]}: " if why else ""
    asked = truncated(request(tool, arguments_json), _MOST_CHARACTERS)
    return f"{reason}{'may' if why else 'May'} I {asked}? {_ANSWERS}"
