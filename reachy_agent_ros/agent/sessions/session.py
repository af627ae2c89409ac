"""One conversation, as lists show it."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode

LONGEST_NAME = 100
"""Characters of a conversation's name."""


@dataclass(frozen=True)
class Session:
    """Mirror of `reachy_agent_msgs/msg/Session`.

    Attributes:
        session_id: Its name.
        began: Its first turn, seconds since the epoch.
        changed: Its last turn, seconds since the epoch.
        turns: Sentences of the person in it.
        beginning: The first of them, on one line, shortened.
        branched_from: Conversation it was copied from, empty if it was not.
    """

    session_id: str
    began: float
    changed: float
    turns: int
    beginning: str = ""
    branched_from: str = ""


def check_name(session_id: str) -> None:
    """Checks what a conversation is to be called.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    if not session_id.strip() or session_id != session_id.strip():
        complaint = "is empty or has spaces around it"
    elif len(session_id) > LONGEST_NAME:
        complaint = f"has more than {LONGEST_NAME} characters"
    elif not session_id.isprintable():
        complaint = "has characters that cannot be printed"
    else:
        return
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"The conversation's name {session_id!r:.60} {complaint}.")
