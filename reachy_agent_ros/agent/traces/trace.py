"""Recorded turn with its spans, and the recorder of the spans."""

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
    """Kind of a span; mirrors the constants of `reachy_agent_msgs/TurnTrace`."""

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
    """Recorded step of a turn.

    Attributes:
        number: Number within the turn; 0 is the turn itself, which is the parent of all others.
        kind: Kind of the step.
        name: Name of the tool, agent, guardrail or input channel.
        start: Start relative to the start of the turn, s; negative for the speech that led to the turn.
        duration: Duration, s.
        arguments_json: Arguments of a tool call.
        summary: One line for people.
        input_tokens: Input tokens of a model.
        output_tokens: Output tokens of a model.
        error: Error with which the step ended, None if it succeeded.
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
    """Recorder of the spans of one turn.

    Args:
        publish: Called with each span when the span has ended.
    """

    def __init__(self, publish: Callable[[Span], None]) -> None:
        self._publish = publish
        self._begin = time.monotonic()
        self._next = 1

    @property
    def elapsed(self) -> float:
        """Time (s) since the start of the turn."""
        return time.monotonic() - self._begin

    def heard(self, text: str, name: str, seconds: float = 0.0) -> None:
        """Publishes a span for the words of the person to which the turn replies.

        Args:
            text: Words of the person.
            name: Channel of the words.
            seconds: Time from the end of the speech to the start of the turn, s; 0 for typed text.
        """
        span = Span(self._next, SpanKind.HEARING, name, -seconds, seconds, summary=text)
        self._next += 1
        self._publish(span)

    def open(self, kind: SpanKind, name: str, arguments_json: str = "") -> Span:
        """Starts a span. Call `close` to end it."""
        number = 0 if kind is SpanKind.TURN else self._next
        self._next += number > 0
        return Span(number, kind, name, self.elapsed if number else 0.0, arguments_json=arguments_json)

    def close(self, span: Span) -> None:
        """Ends a span and publishes it."""
        span.duration = self.elapsed - span.start
        self._publish(span)

    @contextmanager
    def span(self, kind: SpanKind, name: str, arguments_json: str = "") -> Iterator[Span]:
        """Records a `with` block as a span, including the `AgentError` or cancellation that ends the block."""
        span = self.open(kind, name, arguments_json)
        try:
            yield span
        except AgentError as error:
            span.error = error
            raise
        except asyncio.CancelledError:
            span.error = AgentError(ErrorCode.CANCELED, f"{name} was canceled.")
            raise
        finally:
            self.close(span)


@dataclass(frozen=True)
class TracedTurn:
    """Recorded turn with its spans.

    Attributes:
        turn_id: Id of the turn.
        session_id: Conversation of the turn.
        began: Wall-clock time of the start, s since the epoch.
        lost: Number of spans that could not be stored.
        spans: Spans in the order of their start, with times relative to the start of the turn.
    """

    turn_id: uuid.UUID
    session_id: str
    began: float
    lost: int
    spans: tuple[Span, ...]

    @property
    def steps(self) -> tuple[Span, ...]:
        """All spans except the span of the turn itself."""
        return tuple(span for span in self.spans if span.kind is not SpanKind.TURN)

    @property
    def whole(self) -> Span | None:
        """Span of the turn itself; None if the turn is still running, the span was lost, or speech started no turn."""
        return next((span for span in self.spans if span.kind is SpanKind.TURN), None)

    @property
    def heard(self) -> str:
        """Words of the person; empty if unknown."""
        return next((span.summary for span in self.spans if span.kind is SpanKind.HEARING and span.number), "")

    @property
    def agent(self) -> str:
        """Agent that answered: the last agent that called a model, or the reflex. Empty if the turn has no answer."""
        return next((span.name for span in reversed(self.spans) if _answers(span)), "")

    @property
    def start(self) -> float:
        """Start of the first span (s), measured from the start of the turn."""
        return min((span.start for span in self.spans), default=0.0)

    @property
    def end(self) -> float:
        """End of the last span (s), measured from the start of the turn. Speech may continue after the turn."""
        return max((span.start + span.duration for span in self.spans), default=0.0)

    @property
    def tokens(self) -> tuple[int, int]:
        """Total input and output tokens of all model calls."""
        return sum(span.input_tokens for span in self.spans), sum(span.output_tokens for span in self.spans)

    @property
    def error(self) -> AgentError | None:
        """Error with which the turn ended; None if the turn succeeded."""
        return self.whole.error if self.whole else None


def _answers(span: Span) -> bool:
    """Returns whether a span contributes to the reply. A reflex that leaves the reply to a model does not."""
    return span.kind is SpanKind.MODEL or (span.kind is SpanKind.REFLEX and span.summary != DecisionKind.DEFER.value)
