"""A call that has yet to be permitted."""

from __future__ import annotations

import uuid
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """A call that somebody wants to make.

    Attributes:
        tool: Name.
        arguments_json: A JSON object.
        session_id: Conversation it belongs to.
        turn_id: Turn it belongs to.
        requester: Agent that wants it.
        run_state: What the turn needs to go on after a restart.
        tainted: Whether whoever wants it has just read words of others that give orders.
        asked_by: Token that the request was made with, empty if none.
        approval_id: Approval that `ask` or `resume` returned for it, None for none.
    """

    tool: str
    arguments_json: str
    session_id: str
    turn_id: uuid.UUID
    requester: str
    run_state: str = ""
    tainted: bool = False
    asked_by: str = ""
    approval_id: uuid.UUID | None = None
