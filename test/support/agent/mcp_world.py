"""Helpers to connect MCP servers to the MCP client of the agent."""

import asyncio
import json
import sys
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from reachy_agent_ros.agent.mcp_tools.mcp_tools import McpTools
from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolOutcome
from support import failure_report
from support.waiting import wait_until

PATIENCE = 30.0
"""Timeout of any wait, s."""

SERVERS = Path(__file__).with_name("mcp_servers")


def script(name: str, **settings: Any) -> McpServerSettings:
    """Returns the settings of a server in the folder `mcp_servers`."""
    return McpServerSettings(name=name, command=sys.executable, args=(str(SERVERS / f"{name}.py"),), **settings)


def program(code: str, **settings: Any) -> McpServerSettings:
    """Returns the settings of a server whose source is `code`."""
    return McpServerSettings(name="tiny", command=sys.executable, args=("-c", code), **settings)


class World:
    """MCP tools of the agent, with the messages that they report."""

    def __init__(self, *servers: McpServerSettings) -> None:
        self.told: list[str] = []
        self.tools = McpTools(servers, self.told.append)
        failure_report.register(self)

    def describe(self) -> str:
        return "\n".join([f"MCP tools {', '.join(self.names()) or 'none'}", *self.told])

    async def call(self, tool: str, **arguments: Any) -> ToolOutcome:
        return await self.tools.call(ToolCall(tool, json.dumps(arguments), uuid.uuid4()))

    def names(self) -> list[str]:
        return [tool.name for tool in self.tools.catalogue()]

    async def until_told(self, words: str) -> None:
        await until(lambda: any(words in sentence for sentence in self.told), words)


async def until(condition: Callable[[], bool], what: str) -> None:
    """Waits until `condition` is true without blocking the event loop."""
    await asyncio.to_thread(wait_until, condition, what, timeout=PATIENCE)


@asynccontextmanager
async def running(*servers: McpServerSettings) -> AsyncIterator[World]:
    """Runs MCP servers during a `with` block, which begins without waiting for the connections."""
    world = World(*servers)
    await world.tools.start()
    try:
        yield world
    finally:
        await world.tools.close()


@asynccontextmanager
async def connected(*servers: McpServerSettings) -> AsyncIterator[World]:
    """Runs MCP servers during a `with` block, which begins when all servers have listed their tools."""
    async with running(*servers) as world:
        await until(lambda: {name.split("_")[0] for name in world.names()} == {s.name for s in servers}, "tools")
        yield world
