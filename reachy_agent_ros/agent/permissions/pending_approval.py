"""A question to a person: which call it is about, how it is put into words, and how it was answered."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from reachy_agent_ros.agent.terminal_text import truncated

_MOST_CHARACTERS = 200
"""Characters of the arguments that a question names; more would be too long to listen to."""

_ANSWERS = "Please say yes or no."


@dataclass(frozen=True)
class PendingApproval:
    """A call that waits for a person's answer.

    Attributes:
        tool: What would be called.
        arguments_json: Its arguments, a JSON object.
        turn_id: Turn it belongs to.
        requester: Agent that wants it.
        requested: Wall-clock time, s since the epoch.
        expires: Wall-clock time, s since the epoch.
        session_id: Conversation it belongs to.
        reason: Why it asks, in words for people.
        rule: The rule that asks, in words.
        run_state: What a turn needs to go on after a restart, in its own format.
        asked_by: Token that the request was made with, empty if none.
        approval_id: Names the question in an answer.
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
    """How a question was answered.

    Attributes:
        pending: What was asked.
        approved: Yes or no.
        by: Who answered, and in which way.
        decided: Wall-clock time, s since the epoch.
    """

    pending: PendingApproval
    approved: bool
    by: str
    decided: float


def question(tool: str, arguments_json: str, why: str = "") -> str:
    """The question to a person, in one or two sentences.

    Args:
        tool: Name.
        arguments_json: A JSON object.
        why: Why it asks, a sentence without its beginning and full stop: "it follows text from a web page".
    """
    try:
        arguments = json.loads(arguments_json or "{}")
    except (ValueError, RecursionError):
        arguments = {}
    parts = arguments.items() if isinstance(arguments, dict) else ()
    told = truncated(", ".join(f"{name.replace('_', ' ')} {_value(value)}" for name, value in parts), _MOST_CHARACTERS)
    reason = f"{why[:1].upper()}{why[1:]}: " if why else ""
    return (
        f"{reason}{'may' if why else 'May'} I use {tool.replace('_', ' ')}{f' with {told}' if told else ''}? {_ANSWERS}"
    )


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
