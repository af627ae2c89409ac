import asyncio

import pytest

from reachy_agent_ros.agent.traces.trace import Span, SpanKind, Trace
from reachy_agent_ros.core.errors import AgentError, ErrorCode


def test_speech_recognition_span_starts_before_turn() -> None:
    spans: list[Span] = []
    trace = Trace(spans.append)
    trace.heard("look left", "speech", 0.7)
    with trace.span(SpanKind.REFLEX, "reflex"):
        pass
    assert [(span.number, span.kind) for span in spans] == [(1, SpanKind.HEARING), (2, SpanKind.REFLEX)]
    assert (spans[0].start, spans[0].duration, spans[0].summary) == (-0.7, 0.7, "look left")


@pytest.mark.parametrize(
    ("raised", "code"),
    [(AgentError(ErrorCode.TIMEOUT, "Late."), ErrorCode.TIMEOUT), (asyncio.CancelledError(), ErrorCode.CANCELED)],
)
def test_span_records_error_and_cancellation(raised: BaseException, code: ErrorCode) -> None:
    spans: list[Span] = []
    with pytest.raises(type(raised)), Trace(spans.append).span(SpanKind.SPEECH, "say"):
        raise raised
    error = spans[0].error
    assert error is not None
    assert error.code is code
