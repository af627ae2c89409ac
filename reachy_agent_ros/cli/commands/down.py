"""Stops the running graph."""

from __future__ import annotations

import argparse
import os

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show

GROUP = Group.RUN

HELP = "stop the graph that `reachy-agent up` has started"

EXAMPLES = ("reachy-agent down",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the namespace and the output format."""
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Stops the graph. Returns 0 even if none was running."""
    from reachy_agent_ros.supervision.child_process import stop_limit
    from reachy_agent_ros.supervision.record import load, stop_processes

    record = load(arguments.namespace)
    if record is None:
        where = f"{arguments.namespace} (ROS domain {os.environ.get('ROS_DOMAIN_ID', '0')})"
        show({"was_up": False}, f"No graph of `reachy-agent up` runs in {where}.", arguments.json)
        return 0
    stop_processes([record.supervisor], grace=stop_limit(len(record.nodes)))
    # A killed supervisor leaves its nodes running.
    stop_processes(list(reversed(record.nodes.values())))
    record.forget()
    show({"was_up": True}, "Down.", arguments.json)
    return 0
