"""One exchange of a conversation, and its expected result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.nlu.answer import read_answer
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer

WORKS = ("PROCESSING", "READY")
ASKS = ("PROCESSING", "WAITING_FOR_APPROVAL", "PROCESSING", "READY")


@dataclass(frozen=True)
class Exchange:
    """Exchange of a conversation: the person's words and actions, and the expected reaction.

    Attributes:
        shows: Purpose of the exchange, for the report.
        says: Sentence that the person says.
        model: Responses of the model, in order.
        session: Name of the conversation.
        service: Service that is called before the exchange, and its request.
        answers: Answer of the person to a question of the robot.
        killed: Whether the agent is killed while it asks. The answer then goes to a service of the restarted agent.
        interrupted_at: State of the plan at which the person interrupts it; empty for no interruption.
        reply: Text that one of the replies must contain.
        tools: Expected tool calls, in order, with a "!" for those that must fail or be cancelled.
        states: Expected values of `agent_state`, in order.
        plans: Expected states of the plan, in order, with one character per step: ">" is running, "x" is done, "!" is
            blocked, "." has not started.
        granted: Expected content of `grants` at the end.
        persona: Expected persona at the end.
        error: Expected error of the turn.
        known: Expected text in the context of the first request.
        told: Expected text in the other messages of the last request.
        untold: Text that no message of the last request may contain.
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
        """Number of replies that the exchange causes. A spoken "yes" is a separate turn."""
        return 1 + bool(self.answers and not self.killed)

    @property
    def yes(self) -> bool:
        """Whether the person answers the robot's question with yes."""
        answer = read_answer(self.answers) if self.answers else None
        return answer is not None and answer.approve
