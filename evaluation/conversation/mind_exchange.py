"""One exchange of a conversation, and what must come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.nlu.answer import read_answer
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer

WORKS = ("PROCESSING", "READY")
ASKS = ("PROCESSING", "WAITING_FOR_APPROVAL", "PROCESSING", "READY")


@dataclass(frozen=True)
class Exchange:
    """Exchange: what a person says and does, and the expected reaction.

    Attributes:
        shows: What it is there for, for people.
        says: The sentence.
        model: What the model answers, in order.
        session: Conversation it belongs to.
        service: A service that is called before, and its request.
        answers: What the person says when they are asked.
        killed: Whether the agent is killed while it asks, and the answer goes to a service of the next one.
        interrupted_at: The picture of the plan at which the person does not let it go on; empty where they do.
        reply: What must be in the replies.
        tools: What must be called, in order, with a "!" where it must fail or be cancelled.
        states: What `agent_state` must show, in order.
        plans: Pictures of the plan, in order: a character a step, ">" runs, "x" is done, "!" waits, "." is to be done.
        granted: What `grants` must show in the end.
        persona: Who the robot must be in the end.
        error: Name of the error the turn must end with.
        known: What the model must be told in the context of the first request.
        told: What must be in a message of the last request, beside that context.
        untold: What must be in none.
    """

    shows: str
    says: str
    model: tuple[ScriptedAnswer, ...] = ()
    session: str = "default"
    service: tuple[str, Any] | None = None
    answers: str = ""
    killed: bool = False
    interrupted_at: str = ""
    reply: str = ""
    tools: tuple[str, ...] = ()
    states: tuple[str, ...] = WORKS
    plans: tuple[str, ...] = ()
    granted: str = ""
    persona: str = "reachy"
    error: str = ""
    known: str = ""
    told: str = ""
    untold: str = ""

    @property
    def turns(self) -> int:
        """Replies it leads to: a yes is a turn of its own where it is said."""
        return 1 + bool(self.answers and not self.killed)

    @property
    def yes(self) -> bool:
        """Whether the person says yes."""
        answer = read_answer(self.answers) if self.answers else None
        return answer is not None and answer.approve
