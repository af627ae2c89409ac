"""A question to a person."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PendingApproval:
    """One call that waits.

    Attributes:
        tool: What would be called.
        arguments_json: With what.
        turn_id: Turn it belongs to.
        requester: Agent that wants it.
        requested: Wall-clock time, s since the epoch.
        expires: Wall-clock time, s since the epoch.
        session_id: Conversation it belongs to.
        reason: Why it asks, in words for people.
        rule: The rule that asks, in words.
        run_state: What a turn needs to go on after a restart, in its own format.
        asked_by: Token that the request was made with, empty if none.
        approval_id: To decide by.
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
class Decision:
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
