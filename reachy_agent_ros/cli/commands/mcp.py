"""MCP server that offers the robot's tools to other agents."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import stat
import sys

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.core.errors import AgentError, ErrorCode

GROUP = Group.DEVELOPERS

HELP = "run an MCP server on standard input and output that offers the robot's tools to another agent"

EXAMPLES = ("reachy-agent mcp",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the namespace of the graph."""
    add_options(parser, graph=True, json=False)


def run(arguments: argparse.Namespace) -> int:
    """Runs the server until the client disconnects. No graph needs to run. Prints only protocol messages.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: standard input is not connected to a client.
    """
    import asyncio

    _require_a_client()

    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(_serve(arguments.namespace))
    return 0


def _require_a_client() -> None:
    """Raises an error unless standard input is a pipe, a socket or a terminal. On a terminal, prints a hint."""
    if sys.stdin.isatty():
        print("Waiting for an MCP client on standard input (docs/guides/mcp.md). Stop with Ctrl-C.", file=sys.stderr)
        return
    kind = os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
        message = "Standard input is not a pipe: let the MCP client start this command (docs/guides/mcp.md)."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)


async def _serve(namespace: str) -> None:
    import asyncio
    from importlib.metadata import version

    from reachy_agent_ros.agent.mcp_tools.server import McpServer, serve
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.graph_tools import CurrentGraphTools

    serving = asyncio.current_task()
    assert serving is not None  # noqa: S101 - this coroutine runs in a task
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)  # cancels running calls first
    tools = CurrentGraphTools(lambda: GraphClient("mcp", namespace))
    async with tools.following():
        await serve(McpServer(tools, version("reachy_agent_ros")))
