"""Timeline of a recorded turn for a terminal."""

from __future__ import annotations

import json
import textwrap
import time
from collections.abc import Sequence

from reachy_agent_ros.agent.terminal_text import fit, plain
from reachy_agent_ros.agent.traces.trace import Span, SpanKind, TracedTurn
from reachy_agent_ros.core.errors import ErrorCode

_KINDS = {
    SpanKind.HEARING: ("heard", "36"),
    SpanKind.REFLEX: ("reflex", "93"),
    SpanKind.MODEL: ("model", "35"),
    SpanKind.TOOL: ("tool", "32"),
    SpanKind.HANDOFF: ("handoff", "95"),
    SpanKind.APPROVAL: ("approval", "33"),
    SpanKind.SPEECH: ("speech", "34"),
    SpanKind.GUARDRAIL: ("guardrail", "91"),
}
"""Label and color (SGR code) of each kind of span."""

_BOLD, _DIM, _RED = "1", "2", "31"

_LABEL, _BAR, _TIME = 11, 36, 9
_ENDS = " ▏▎▍▌▋▊▉█"
_STEPS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0)
_MIN_TICKS_APART = 8
_MAX_LINES = 3


class Timeline:
    """Renders recorded turns as timelines for a terminal.

    Args:
        width: Width of the terminal, columns; at least 80 are used.
        color: Whether to use colors.
    """

    def __init__(self, width: int = 100, color: bool = False) -> None:
        self._width = max(width, 80)
        self._color = color

    def draw(self, turn: TracedTurn) -> str:
        """Renders a turn: the person's words, a bar for each span, the reply, and totals."""
        scale = _Scale(turn.start, turn.end)
        rows = [self._row(span, nested, scale) for span, nested in _nested(turn.steps)]
        return "\n".join([*self._head(turn), self._frame("│", scale.axis(), _DIM), *rows, *self._foot(turn)])

    def _head(self, turn: TracedTurn) -> list[str]:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(turn.began))
        came = turn.whole.name if turn.whole else "no turn"
        about = f"{came} · {turn.session_id or 'no conversation'} · {turn.turn_id.hex[:8]}"
        head = f"┌ {when}  {plain(about)}"
        said = [self._frame("│", f"“{plain(turn.heard)}”", _BOLD)] if turn.heard else []
        return [self._paint(fit(head, self._width), _DIM), *said]

    def _foot(self, turn: TracedTurn) -> list[str]:
        read, written = turn.tokens
        tools = sum(span.kind is SpanKind.TOOL for span in turn.spans)
        told = [
            f"{turn.whole.duration:.2f} s" if turn.whole else "",
            f"{read} tokens read, {written} written" if read or written else "",
            f"{tools} tool call{'s' * (tools != 1)}" if tools else "",
            f"{turn.lost} span{'s' * (turn.lost != 1)} not recorded" if turn.lost else "",
        ]
        foot = " · ".join(filter(None, told)) or "nothing followed"
        reply = self._lines("→", turn.whole.summary, _BOLD) if turn.whole else []
        # The error of a turn is usually that of a step, and is shown only once.
        failed_spans = (span for span in (*turn.spans, turn.whole) if span and not _is_cut_off(span))
        failures = {span.error.message: _error(span) for span in failed_spans if span.error}
        failed = [line for failure in failures.values() for line in self._lines("✗", failure, _RED)]
        return [*reply, *failed, self._paint(fit(f"└ {foot}", self._width), _DIM)]

    def _lines(self, mark: str, text: str, code: str) -> list[str]:
        lines = textwrap.wrap(plain(text), self._width - 4, max_lines=_MAX_LINES, placeholder="…")
        return [self._frame("│", f"{' ' if number else mark} {line}", code) for number, line in enumerate(lines)]

    def _row(self, span: Span, nested: bool, scale: _Scale) -> str:
        kind, color = _KINDS[span.kind]
        label = f"{'└ ' * nested}{kind}"
        failed = span.error is not None and not _is_cut_off(span)
        detail = _error(span) if failed else _detail(span)
        time = f"{_milliseconds(span.duration):>{_TIME}}"  # a duration of a day is wider
        cells = (
            f"{label:<{_LABEL}}",
            self._paint(scale.bar(span), color),
            time,
            self._paint(fit(detail, self._width - _LABEL - _BAR - len(time) - 6), _RED if failed else ""),
        )
        return f"{self._paint('│', _DIM)} {cells[0]}{cells[1]}{cells[2]}  {cells[3]}".rstrip()

    def _frame(self, edge: str, text: str, code: str) -> str:
        return f"{self._paint(edge, _DIM)} {self._paint(fit(text, self._width - 2), code)}"

    def _paint(self, text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self._color and code and text else text


class _Scale:
    """Scale that converts seconds to terminal columns."""

    def __init__(self, start: float, end: float) -> None:
        self._start = start
        self._columns_per_second = _BAR / max(end - start, 0.001)

    def bar(self, span: Span) -> str:
        """Returns the bar of a span in `_BAR` columns. Time spent waiting for a person is shaded."""
        first = min(int(self._place(span.start)), _BAR - 1)
        eighths = max(round((self._place(span.start + span.duration) - first) * 8), 1)
        full, rest = divmod(min(eighths, (_BAR - first) * 8), 8)
        bar = "█" * full + (_ENDS[rest] if rest else "")
        if span.kind is SpanKind.APPROVAL:
            bar = "░" * len(bar)
        return f"{' ' * first}{bar}".ljust(_BAR)

    def axis(self) -> str:
        """Returns the time axis, in seconds after the start of the turn."""
        step = next((step for step in _STEPS if step * self._columns_per_second >= _MIN_TICKS_APART), _STEPS[-1])
        line = " " * _LABEL
        tick = -(-self._start // step) * step  # the first visible tick
        while (column := _LABEL + int(self._place(tick))) < _LABEL + _BAR - 1:
            if column >= len(line):
                line = f"{line:<{column}}╷{f'{tick + 0.0:g} s' if tick > 1e-9 or tick < -1e-9 else '0'}"
            tick = round(tick + step, 9)
        return line

    def _place(self, seconds: float) -> float:
        return (seconds - self._start) * self._columns_per_second


def _nested(spans: Sequence[Span]) -> list[tuple[Span, bool]]:
    """Returns each span, and whether it is an approval or guardrail in the last tool or model span before it."""
    order: list[tuple[Span, bool]] = []
    above: Span | None = None
    for span in spans:
        inner = span.kind in (SpanKind.APPROVAL, SpanKind.GUARDRAIL)
        within = above is not None and span.start + span.duration <= above.start + above.duration
        order.append((span, inner and within))
        if span.kind in (SpanKind.TOOL, SpanKind.MODEL):
            above = span
    return order


def _is_cut_off(span: Span) -> bool:
    """Returns whether a span is interrupted speech. An interruption by a sentence or a stop is not a failure."""
    ended_early = span.error is not None and span.error.code in (ErrorCode.CANCELED, ErrorCode.PREEMPTED)
    return span.kind is SpanKind.SPEECH and ended_early


def _detail(span: Span) -> str:
    tokens = f"{span.input_tokens} → {span.output_tokens} tokens" if span.input_tokens or span.output_tokens else ""
    match span.kind:
        case SpanKind.TOOL:
            return plain(f"{span.name} {_arguments(span.arguments_json)}")
        case SpanKind.SPEECH | SpanKind.HANDOFF:
            return plain(f"{'cut off: ' * _is_cut_off(span)}{span.summary or span.name}")
        case SpanKind.HEARING:
            return plain(span.name if span.number else f"ignored: {span.summary}")
        case SpanKind.REFLEX:
            return plain(span.summary)
        case _:
            return plain(" · ".join(filter(None, (span.name, tokens, span.summary))))


def _arguments(text: str) -> str:
    """Formats the arguments of a call without JSON punctuation."""
    try:
        arguments = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return text
    if not isinstance(arguments, dict):
        return text
    return " ".join(f"{name}={value}" for name, value in arguments.items())


def _error(span: Span) -> str:
    name = f"{span.name}: " if span.kind not in (SpanKind.TURN, SpanKind.REFLEX) else ""
    return plain(f"{name}{span.error.code.name} {span.error.message}") if span.error else ""


def _milliseconds(seconds: float) -> str:
    number = seconds * 1000.0
    return f"{number:.1f} ms" if number < 9.95 else f"{number:.0f} ms"
