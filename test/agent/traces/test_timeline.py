import re
import time
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.terminal_text import fit
from reachy_agent_ros.agent.traces.timeline import Timeline
from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn
from reachy_agent_ros.core.errors import AgentError, ErrorCode

BEGAN = time.mktime((2026, 11, 20, 14, 3, 22, 0, 0, -1))
SPANS = (
    Span(1, SpanKind.HEARING, "speech", -0.5, 0.5, summary="look left and take a photo"),
    Span(0, SpanKind.TURN, "spoken", 0.0, 3.0, summary="I looked left, but I may take no photo."),
    Span(2, SpanKind.REFLEX, "reflex", 0.0, 0.0004, summary="act"),
    Span(3, SpanKind.TOOL, "move_head", 0.0, 1.0, '{"yaw_deg": 30.0}'),
    Span(4, SpanKind.TOOL, "take_photo", 1.0, 2.0, "{}", error=AgentError(ErrorCode.APPROVAL_DENIED, "No.")),
    Span(5, SpanKind.APPROVAL, "take_photo", 1.0, 2.0),
    Span(6, SpanKind.SPEECH, "say", 3.0, 0.5, summary="I looked left."),
)


def turn(*spans: Span, lost: int = 0) -> TracedTurn:
    return TracedTurn(uuid.UUID(int=7 << 100), "default", BEGAN, lost, spans)


def test_timeline_shows_steps_of_turn() -> None:
    assert Timeline().draw(turn(*SPANS, lost=1)).splitlines() == [
        "┌ 2026-11-20 14:03:22  spoken · default · 00000070",
        "│ “look left and take a photo”",
        "│                ╷0       ╷1 s     ╷2 s     ╷3 s",
        "│ heard      ████▌                                  500 ms  speech",
        "│ reflex         ▌                                  0.4 ms  act",
        "│ tool           █████████▌                        1000 ms  move_head yaw_deg=30.0",
        "│ tool                    ██████████████████▌      2000 ms  take_photo: APPROVAL_DENIED No.",
        "│ └ approval              ░░░░░░░░░░░░░░░░░░░      2000 ms  take_photo",
        "│ speech                                    █████   500 ms  I looked left.",
        "│ → I looked left, but I may take no photo.",
        "│ ✗ take_photo: APPROVAL_DENIED No.",
        "└ 3.00 s · 2 tool calls · 1 span not recorded",
    ]


@pytest.mark.parametrize("code", [ErrorCode.CANCELED, ErrorCode.PREEMPTED])
def test_timeline_does_not_show_interrupted_speech_as_failure(code: ErrorCode) -> None:
    cut_off = Span(2, SpanKind.SPEECH, "say", 3.0, 0.5, summary="I looked left.", error=AgentError(code, "Canceled."))
    drawn = Timeline(color=True).draw(turn(SPANS[1], cut_off))
    assert "cut off: I looked left." in drawn
    assert "Canceled." not in drawn
    assert "\033[31m" not in drawn


def test_colors_do_not_change_text_of_timeline() -> None:
    painted = Timeline(color=True).draw(turn(*SPANS))
    assert "\033[32m" in painted
    bare = re.sub(r"\033\[\d+m", "", painted)
    assert bare == Timeline().draw(turn(*SPANS))


def test_timeline_shows_why_speech_was_ignored() -> None:
    drawn = Timeline().draw(turn(Span(0, SpanKind.HEARING, "attention", 0.0, summary="not meant for the robot")))
    assert "ignored: not meant for the robot" in drawn


def test_timeline_shows_beginning_of_arguments_that_are_nested_too_deeply() -> None:
    drawn = Timeline(100).draw(turn(Span(1, SpanKind.TOOL, "wait", 0.0, arguments_json="[" * 100_000)))
    assert "wait [[[" in drawn


numbers = st.floats(0.0, 1e5)
spans = st.builds(
    Span,
    number=st.integers(0, 50),
    kind=st.sampled_from(SpanKind),
    name=st.text(),
    start=st.floats(-100.0, 1e5),
    duration=numbers,
    arguments_json=st.text() | st.sampled_from(['{"a": [1, {"b": "\\u001b"}]}', "[" * 10_000]),
    summary=st.text(),
    input_tokens=st.integers(0, 10**7),
    error=st.none() | st.builds(AgentError, st.just(ErrorCode.INTERNAL), st.text()),
)


@pytest.mark.slow
@given(st.lists(spans, max_size=12), st.integers(80, 140))
def test_timeline_of_any_turn_is_printable_and_fits_terminal_width(steps: list[Span], width: int) -> None:
    drawn = Timeline(width).draw(turn(*steps))
    for line in drawn.split("\n"):
        assert line.isprintable()
        assert fit(line, width) == line
