"""Port for traces of turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class TracedSpan:
    """One step of a turn; mirror of `reachy_agent_msgs/TurnTrace`.

    Attributes:
        span: Number within the turn; 0 is the turn itself.
        parent: Span it belongs to.
        kind: 0 turn, 1 hearing, 2 reflex, 3 model, 4 tool, 5 handoff, 6 approval, 7 speech, 8 guardrail.
        name: Tool, model's agent or rule.
        start: s after the turn's start; negative for what was heard.
        duration: s.
        input_tokens: Read by a model.
        output_tokens: Written by a model.
        arguments_json: Of a tool call.
        summary: One line for people.
        error_code: 0 where it ended well.
        error_msg: One sentence for people.
    """

    span: int
    parent: int
    kind: int
    name: str
    start: float
    duration: float
    input_tokens: int
    output_tokens: int
    arguments_json: str
    summary: str
    error_code: int
    error_msg: str


@dataclass(frozen=True)
class TurnRecord:
    """One turn.

    Attributes:
        turn_id: Its name everywhere.
        session_id: Conversation it belongs to.
        began: s since the epoch.
        heard: What the person said, where it is known.
        reply: What was answered.
        agent: Who answered.
        duration: s; None while it runs.
        input_tokens: Read by models.
        output_tokens: Written by models.
        tools: Tools that were called, in order.
        error_code: 0 where it ended well.
        error_msg: One sentence for people.
        lost: Spans that could not be kept.
        spans: By their start.
    """

    turn_id: str
    session_id: str
    began: float
    heard: str
    reply: str
    agent: str
    duration: float | None
    input_tokens: int
    output_tokens: int
    tools: Sequence[str]
    error_code: int
    error_msg: str
    lost: int
    spans: Sequence[TracedSpan] = field(default_factory=tuple)


class Traces(Protocol):
    """Recorded turns. All raise `AgentError`."""

    async def latest(self, limit: int, session_id: str) -> Sequence[TurnRecord]:
        """The latest turns, newest first; of one conversation where it is named."""
        ...

    async def find(self, turn_id: str) -> TurnRecord:
        """The turn whose id begins so; `NOT_FOUND` where there is none, or more than one."""
        ...
