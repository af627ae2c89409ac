"""A call that has yet to be permitted."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from reachy_agent_ros.agent.provenance.judgement import Concern


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
        origin: Provenance labels of what whoever wants it has been shown, in one line.
        concern: Why that makes the call need a yes, None where it does not.
        kept_origin: Labels that text of its arguments gets where it is kept.
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
    origin: str = ""
    concern: Concern | None = None
    kept_origin: str = ""
