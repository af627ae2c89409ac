"""Triggers or resets the emergency stop."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.paths import state_directory

GROUP = Group.RUN

HELP = "trigger the emergency stop, which lasts until `stop --reset`"

EXAMPLES = (
    "reachy-agent stop",
    "reachy-agent stop --reset",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the reset and the namespace."""
    parser.add_argument("--reset", action="store_true", help="let the robot move again")
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Triggers the emergency stop, or resets it.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; otherwise the bridge did not confirm the request.
    """
    from reachy_agent_ros.agent.permissions.stop_audit import StopAudit
    from reachy_agent_ros.ros.client import emergency_stop
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.rclpy_ext.principal_messages import command_line
    from reachy_agent_ros.ros.rclpy_ext.process import guard_farewell

    with GraphClient("stop", arguments.namespace) as client:
        told = emergency_stop.reset(client) if arguments.reset else emergency_stop.stop(client)
        show({"stopped": not arguments.reset, "message": told}, told, arguments.json)
        sys.stdout.flush()
        if not arguments.reset:
            with closing(StopAudit(state_directory())) as audit:
                audit.note(command_line().name, "reachy-agent stop")
        call_off = guard_farewell()
    call_off()
    return 0
