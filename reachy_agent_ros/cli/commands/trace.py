"""Shows the steps of the last turns and their durations."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import add_options, whole
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import attributes, replace_unprintable, show

if TYPE_CHECKING:
    from reachy_agent_ros.agent.traces.trace import Span, TracedTurn

GROUP = Group.INSPECT

HELP = "show the last turns as timelines"

EXAMPLES = (
    "reachy-agent trace",
    "reachy-agent trace 10",
    "reachy-agent trace --turn 3f2a --json",
)

COLUMNS = 100
"""Width of the output if it is not a terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the turns and the output format."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "count", nargs="?", type=whole(1), default=3, metavar="N", help="number of turns (default: %(default)s)"
    )
    which.add_argument("--turn", metavar="ID", help="beginning of a turn's id")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the turns, oldest first.

    Returns:
        0, even if no turn has been recorded yet.

    Raises:
        AgentError: `NOT_FOUND`, or `STORAGE_FAILED`.
    """
    from reachy_agent_ros.agent.traces.timeline import Timeline
    from reachy_agent_ros.agent.traces.trace_store import TraceStore

    store = TraceStore()
    turns = [store.find(arguments.turn)] if arguments.turn is not None else store.latest(arguments.count)
    if not turns:
        print(f"No turn is recorded in {store.path}.", file=sys.stderr)
    replace_unprintable()
    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    columns = shutil.get_terminal_size((COLUMNS, 24)).columns if sys.stdout.isatty() else COLUMNS
    timeline = Timeline(columns, color)
    for turn in turns:
        show(_line(turn), f"{timeline.draw(turn)}\n", arguments.json)
    return 0


def _line(turn: TracedTurn) -> dict[str, Any]:
    read, written = turn.tokens
    return {
        "turn_id": str(turn.turn_id),
        "session_id": turn.session_id,
        "began": round(turn.began, 3),
        "heard": turn.heard,
        "reply": turn.whole.summary if turn.whole else "",
        "duration_ms": round(turn.whole.duration * 1000.0, 1) if turn.whole else None,
        "input_tokens": read,
        "output_tokens": written,
        "error": _error(turn.whole) if turn.whole else None,
        "lost": turn.lost,
        "spans": [_span(span) for span in turn.steps],
    }


def _span(span: Span) -> dict[str, Any]:
    return {
        **attributes(span, "name", "input_tokens", "output_tokens", "arguments_json", "summary"),
        "span": span.number,
        "kind": span.kind.name.lower(),
        "start_ms": round(span.start * 1000.0, 1),
        "duration_ms": round(span.duration * 1000.0, 1),
        "error": _error(span),
    }


def _error(span: Span) -> dict[str, Any] | None:
    return None if span.error is None else {"code": span.error.code.name, "message": span.error.message}
