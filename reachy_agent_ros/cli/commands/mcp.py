"""Offers the robot's tools to other agents over the Model Context Protocol."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import stat
import sys

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.core.errors import AgentError, ErrorCode

HELP = "let another agent use the robot's tools: an MCP server on standard input and output, for its configuration"

EXAMPLES = ("reachy-agent mcp",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds which graph."""
    add_options(parser, graph=True, json=False)


def run(arguments: argparse.Namespace) -> int:
    """Serves until the other agent leaves, whether a graph runs yet or not; prints nothing but the protocol.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: nobody can answer on standard input.
    """
    import asyncio

    _require_a_client()

    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(_serve(arguments.namespace))
    return 0


def _require_a_client() -> None:
    """Refuses a file or a closed input, which are not clients, and explains the command at a terminal."""
    if sys.stdin.isatty():
        print("This waits for an MCP client to speak on standard input (docs/mcp.md); Ctrl-C ends it.", file=sys.stderr)
        return
    kind = os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
        message = "Standard input must be a pipe from an MCP client, which starts this command itself: docs/mcp.md."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)


async def _serve(namespace: str) -> None:
    import asyncio
    from importlib.metadata import version

    from reachy_agent_ros.agent.mcp_tools.server import McpServer, serve
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.graph_tools import CurrentGraphTools

    serving = asyncio.current_task()
    assert serving is not None  # noqa: S101 - it is this one
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)  # what runs is cancelled first
    tools = CurrentGraphTools(lambda: GraphClient("mcp", namespace))
    async with tools.following():
        await serve(McpServer(tools, version("reachy_agent_ros")))
