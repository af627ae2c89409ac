"""Shows the state of the running graph."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import add_options, span
from reachy_agent_ros.cli.cli import EXIT_DEGRADED
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, show_table

if TYPE_CHECKING:
    from reachy_agent_ros.supervision.health import NodeHealth

GROUP = Group.RUN

HELP = "show the state of every node, and whether the graph is reachable from the network"

EXAMPLES = (
    "reachy-agent status",
    "reachy-agent status --wait 60s",
    "reachy-agent status --json | jq .ready",
)

ANSWER_TIMEOUT = 3.0
"""Time to wait for the nodes' heartbeats, s. A shorter wait would report a node that is ready as silent."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the namespace, the time to wait and the output format."""
    parser.add_argument(
        "--wait",
        type=span,
        default=0.0,
        metavar="TIME",
        help=f"wait until every node is ready, at most this long (minimum: {ANSWER_TIMEOUT:g}s)",
    )
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Prints the state of the graph.

    Returns:
        0 if everything works as configured; 4 if a node is degraded; 1 if a node is not ready, or the graph is open to
        the network although its arguments do not say so.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running.
    """
    return report(arguments.namespace, arguments.wait, arguments.json)


def report(namespace: str, wait: float, as_json: bool = False, quiet: bool = False) -> int:
    """Prints the state of the graph after waiting for every node.

    Args:
        namespace: Namespace of the graph.
        wait: Maximum time to wait until every node is ready, s, but at least `ANSWER_TIMEOUT`; 0 to wait at most
            `ANSWER_TIMEOUT` for heartbeats.
        as_json: Whether to print JSON.
        quiet: Whether to print text only if the result is 1.

    Returns:
        The exit codes of `run`.

    Raises:
        AgentError: As for `run`.
    """
    from reachy_agent_ros.ros.client.observer import observe

    progress = _ignore_progress if quiet or not wait else _show_progress
    health = observe(namespace, max(wait, ANSWER_TIMEOUT), until_ready=wait > 0.0, progress=progress)
    progress(0, 0)
    if as_json:
        print(health.as_json(), flush=True)
    elif not (quiet and health.good):
        show_table(("NODE", "STATE", "PID", "AGE", "RESTARTS", "MEMORY", "NOTE"), map(_row, health.nodes))
        print("\n".join(["", *health.summary()]), flush=True)
    if not health.good:
        return 1
    return EXIT_DEGRADED if health.degraded else 0


def _ignore_progress(_ready: int, _expected: int) -> None:
    """Ignores the number of ready nodes."""


def _show_progress(ready: int, expected: int) -> None:
    """Shows the number of ready nodes on the last line of the terminal. Clears the line if no node is expected."""
    if sys.stderr.isatty():
        words = f"{ready} of {expected} nodes are ready" if expected else ""
        print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)


def _row(node: NodeHealth) -> Row:
    style = {"ready": "green", "degraded": "yellow"}.get(node.state, "red")
    numbers = (str(node.pid or "-"), f"{node.age:.0f} s", str(node.restarts), f"{node.resident_mb:.0f} MB")
    return node.name, Cell(node.state, style), *numbers, node.note
