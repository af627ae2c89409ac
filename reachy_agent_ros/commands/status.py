"""Shows how the running graph is."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reachy_agent_ros.supervision.health import GraphHealth

HELP = "show every node's state, and whether the graph is closed to strangers"

ANSWER_TIMEOUT = 3.0
"""Seconds that nodes have to be heard where nobody asked to wait for them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the namespace, the time to wait and the output format."""
    from reachy_agent_ros.core.names import NAMESPACE

    parser.add_argument("--namespace", default=NAMESPACE, help="namespace of the graph (default: %(default)s)")
    parser.add_argument("--wait", type=float, default=0.0, metavar="SECONDS", help="first wait for every node's READY")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """Prints the state. Returns 0 when every node is ready and the graph as closed as it was asked to be, else 1."""
    return report(arguments.namespace, arguments.wait, arguments.json)


def report(namespace: str, wait: float, as_json: bool = False) -> int:
    """Prints the state of the graph, waiting at most `wait` seconds for every node to be ready."""
    from reachy_agent_ros.nodes.observer import observe

    health = observe(namespace, max(wait, ANSWER_TIMEOUT), until_ready=wait > 0.0)
    print(health.as_json() if as_json else _table(health), flush=True)
    return 0 if health.good else 1


def _table(health: GraphHealth) -> str:
    rows = [("NODE", "STATE", "PID", "AGE", "RESTARTS", "MEMORY", "NOTE")]
    for node in health.nodes:
        numbers = (str(node.pid or "-"), f"{node.age:.0f} s", str(node.restarts), f"{node.resident_mb:.0f} MB")
        rows.append((node.name, node.state, *numbers, node.note))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*table, "", *health.summary()])
