"""What a person decides about a tool."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.commands.tools.show import known
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import NodeClient


def approve(arguments: argparse.Namespace) -> None:
    """Lets a version that waits run."""
    _review(arguments, True)


def reject(arguments: argparse.Namespace) -> None:
    """Never lets a version that waits run."""
    _review(arguments, False)


def roll_back(arguments: argparse.Namespace) -> None:
    """Makes another version the one that runs."""
    from reachy_agent_msgs.srv import RollBackTool

    def decide(server: NodeClient) -> str:
        request = RollBackTool.Request(name=arguments.name, version=arguments.version)
        server.ask(RollBackTool, names.ROLL_BACK_TOOL, request)
        running = next((one.version for one in known(server, arguments.name).versions if one.active), 0)
        return f"Version {running} of {arguments.name} runs from now on."

    _decide(arguments, decide)


def enable(arguments: argparse.Namespace) -> None:
    """Puts a tool back into use."""
    _set_enabled(arguments, True)


def disable(arguments: argparse.Namespace) -> None:
    """Takes a tool out of use."""
    _set_enabled(arguments, False)


def delete(arguments: argparse.Namespace) -> None:
    """Forgets a generated tool."""
    from reachy_agent_msgs.srv import DeleteTool

    def decide(server: NodeClient) -> str:
        server.ask(DeleteTool, names.DELETE_TOOL, DeleteTool.Request(name=arguments.name))
        return f"{arguments.name} is deleted."

    _decide(arguments, decide)


def _review(arguments: argparse.Namespace, yes: bool) -> None:
    from reachy_agent_msgs.msg import ToolVersion
    from reachy_agent_msgs.srv import ReviewTool

    from reachy_agent_ros.ros.rclpy_ext.principal_messages import command_line

    def decide(server: NodeClient) -> str:
        versions = known(server, arguments.name).versions
        waiting = [one.version for one in versions if one.state == ToolVersion.WAITING]
        if not waiting and not arguments.version:
            raise AgentError(ErrorCode.NOT_FOUND, f"No version of {arguments.name} waits for a review.")
        version = arguments.version or waiting[-1]
        request = ReviewTool.Request(
            name=arguments.name,
            version=version,
            approve=yes,
            comment=arguments.comment,
            decided_by=command_line(),
        )
        server.ask(ReviewTool, names.REVIEW_TOOL, request)
        return f"Version {version} of {arguments.name} {'runs from now on' if yes else 'will never run'}."

    _decide(arguments, decide)


def _set_enabled(arguments: argparse.Namespace, enabled: bool) -> None:
    from reachy_agent_msgs.srv import SetToolEnabled

    def decide(server: NodeClient) -> str:
        request = SetToolEnabled.Request(name=arguments.name, enabled=enabled)
        server.ask(SetToolEnabled, names.SET_TOOL_ENABLED, request)
        return f"{arguments.name} {'can be called again' if enabled else 'cannot be called any more'}."

    _decide(arguments, decide)


def _decide(arguments: argparse.Namespace, decide: Callable[[NodeClient], str]) -> None:
    from reachy_agent_ros.ros.client.client import joined

    with joined(names.TOOL_SERVER, "tools", arguments.namespace) as server:
        sentence = decide(server)
    result: dict[str, Any] = {"name": arguments.name, "result": sentence}
    show(result, sentence, arguments.json)
