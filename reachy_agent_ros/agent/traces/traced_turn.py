"""A turn as it was recorded."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu.decision import Kind


@dataclass(frozen=True)
class TracedTurn:
    """A turn with its spans.

    Attributes:
        turn_id: Its name everywhere.
        session_id: Conversation it belongs to.
        began: Wall clock, seconds since the epoch.
        lost: Spans that could not be kept.
        spans: By their start; times count from the turn's.
    """

    turn_id: uuid.UUID
    session_id: str
    began: float
    lost: int
    spans: tuple[Span, ...]

    @property
    def steps(self) -> tuple[Span, ...]:
        """All spans but the turn itself."""
        return tuple(span for span in self.spans if span.kind is not SpanKind.TURN)

    @property
    def whole(self) -> Span | None:
        """The turn's own span; None while it runs, if it was lost, or where what was heard led to no turn."""
        return next((span for span in self.spans if span.kind is SpanKind.TURN), None)

    @property
    def heard(self) -> str:
        """What the person said, where it is known."""
        return next((span.summary for span in self.spans if span.kind is SpanKind.HEARING and span.number), "")

    @property
    def agent(self) -> str:
        """Who answered: the last agent that a model spoke for, or the reflex; empty where nobody did."""
        return next((span.name for span in reversed(self.spans) if _answers(span)), "")

    @property
    def start(self) -> float:
        """When the first span began, s after the turn's start."""
        return min((span.start for span in self.spans), default=0.0)

    @property
    def end(self) -> float:
        """When the last span ended, s after the turn's start: speech goes on after the turn."""
        return max((span.start + span.duration for span in self.spans), default=0.0)

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens read and written by all model calls together."""
        return sum(span.input_tokens for span in self.spans), sum(span.output_tokens for span in self.spans)

    @property
    def error(self) -> AgentError | None:
        """Why the turn did not end well."""
        return self.whole.error if self.whole else None


def _answers(span: Span) -> bool:
    """Whether a span is somebody's part in the reply; a reflex that leaves the sentence to a model has none."""
    return span.kind is SpanKind.MODEL or (span.kind is SpanKind.REFLEX and span.summary != Kind.DEFER.value)
