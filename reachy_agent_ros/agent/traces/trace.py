"""What happened in a turn, as spans: how they are recorded, and the recorded turn."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import DecisionKind


class SpanKind(IntEnum):
    """Mirror of `reachy_agent_msgs/TurnTrace`."""

    TURN = 0
    HEARING = 1
    REFLEX = 2
    MODEL = 3
    TOOL = 4
    HANDOFF = 5
    APPROVAL = 6
    SPEECH = 7
    GUARDRAIL = 8


@dataclass
class Span:
    """One step of a turn.

    Attributes:
        number: Within the turn; 0 is the turn itself, to which all others belong.
        kind: What it is.
        name: Tool, model, agent or rule.
        start: s after the turn's start; negative for what was heard, which led to it.
        duration: s.
        arguments_json: Of a tool call.
        summary: One line for people.
        input_tokens: Read by a model.
        output_tokens: Written by a model.
        error: Why it did not end well, None if it did.
    """

    number: int
    kind: SpanKind
    name: str
    start: float
    duration: float = 0.0
    arguments_json: str = ""
    summary: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    error: AgentError | None = None


class Trace:
    """The spans of one turn.

    Args:
        publish: Takes each span when it has ended.
    """

    def __init__(self, publish: Callable[[Span], None]) -> None:
        self._publish = publish
        self._begin = time.monotonic()
        self._next = 1

    @property
    def elapsed(self) -> float:
        """Seconds since the turn's start."""
        return time.monotonic() - self._begin

    def heard(self, text: str, name: str, seconds: float = 0.0) -> None:
        """Publishes what the turn answers.

        Args:
            text: What the person said.
            name: How it came.
            seconds: From the end of their speech to the turn's start; 0 for what was typed.
        """
        span = Span(self._next, SpanKind.HEARING, name, -seconds, seconds, summary=text)
        self._next += 1
        self._publish(span)

    def open(self, kind: SpanKind, name: str, arguments_json: str = "") -> Span:
        """Begins a span; end it with `close`."""
        number = 0 if kind is SpanKind.TURN else self._next
        self._next += number > 0
        return Span(number, kind, name, self.elapsed if number else 0.0, arguments_json=arguments_json)

    def close(self, span: Span) -> None:
        """Ends a span and publishes it."""
        span.duration = self.elapsed - span.start
        self._publish(span)

    @contextmanager
    def span(self, kind: SpanKind, name: str, arguments_json: str = "") -> Iterator[Span]:
        """A span for a `with` block; an `AgentError` or a cancellation that passes through is noted in it."""
        span = self.open(kind, name, arguments_json)
        try:
            yield span
        except AgentError as error:
            span.error = error
            raise
        except asyncio.CancelledError:
            span.error = AgentError(ErrorCode.CANCELED, f"{name} was cancelled.")
            raise
        finally:
            self.close(span)


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
    return span.kind is SpanKind.MODEL or (span.kind is SpanKind.REFLEX and span.summary != DecisionKind.DEFER.value)
