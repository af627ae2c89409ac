"""Restarts nodes of the running graph through its supervisor."""

from __future__ import annotations

import argparse
import time

from reachy_agent_ros.bringup import node_names, resolve
from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode

GROUP = Group.RUN

HELP = "restart one node of the running graph, or all of them, with the present settings"

EXAMPLES = (
    "reachy-agent restart",
    "reachy-agent restart agent",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the node, the namespace and the output format."""
    parser.add_argument("node", nargs="?", choices=node_names(), metavar="NODE", help="node (default: all nodes)")
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Restarts the nodes and prints the state of the graph. Returns the same exit codes as `status.run`.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: `reachy-agent up` is not running; `NOT_FOUND`: the node is not running;
            `INVALID_ARGUMENTS`: the settings are invalid, and nothing was restarted; `TIMEOUT`.
    """
    from reachy_agent_ros.cli.commands import status
    from reachy_agent_ros.cli.commands.up import READY_TIMEOUT

    resolve({})  # the supervisor reads the settings again, but could not report an error to this terminal
    restart(arguments.namespace, arguments.node or "")
    return status.report(arguments.namespace, READY_TIMEOUT, arguments.json)


def restart(namespace: str, node: str = "") -> None:
    """Restarts one node or all nodes, and waits until the new processes have started.

    Raises:
        AgentError: As for `run`, except `INVALID_ARGUMENTS`.
    """
    from reachy_agent_ros.supervision.child_process import stop_limit
    from reachy_agent_ros.supervision.record import load
    from reachy_agent_ros.supervision.restart_request import request_restart

    record = load(namespace)
    if record is None or not record.supervisor.alive or not record.nodes:
        message = f"No graph of `reachy-agent up` runs in {namespace}. Start one: reachy-agent up"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
    if node and node not in record.nodes:
        raise AgentError(ErrorCode.NOT_FOUND, f"{node} is not part of this graph. Nodes: {', '.join(record.nodes)}.")
    old = {name: process for name, process in record.nodes.items() if node in ("", name)}
    request_restart(record, old)
    deadline = Deadline(stop_limit(len(old)))
    while record is not None and any(record.nodes.get(name) == process for name, process in old.items()):
        if deadline.passed:
            raise AgentError(ErrorCode.TIMEOUT, f"The supervisor did not restart {node or 'the nodes'} in time.")
        time.sleep(0.05)
        record = load(namespace)
    if record is None:
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "The graph has ended.")
