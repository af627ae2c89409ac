"""Prints the environment variables that other ROS tools need to join the graph."""

from __future__ import annotations

import argparse
import shlex

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.supervision.transport import DISCOVERY_RANGES, LOOPBACK, transport_environment

GROUP = Group.INSPECT

HELP = 'print shell commands that let other ROS tools join the graph: eval "$(reachy-agent env)"'

EXAMPLES = (
    'eval "$(reachy-agent env)"',
    "reachy-agent env --json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the namespace and the transport."""
    add_options(parser, graph=True, json=False)
    parser.add_argument(
        "--transport", choices=DISCOVERY_RANGES, help=f"for a graph that is not running yet (default: {LOOPBACK})"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object; null means unset")


def run(arguments: argparse.Namespace) -> int:
    """Prints `export` and `unset` commands, one per line: for the given transport, otherwise for the running graph."""
    from reachy_agent_ros.supervision.record import load

    record = None if arguments.transport else load(arguments.namespace)
    settings = transport_environment(arguments.transport or LOOPBACK) if record is None else record.environment
    lines = [
        f"unset {name}" if value is None else f"export {name}={shlex.quote(value)}" for name, value in settings.items()
    ]
    show(settings, "\n".join(lines), arguments.json)
    return 0
