"""The servers that run only while the robot is one certain persona."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from reachy_agent_ros.agent.mcp_tools.mcp_tools import McpTools
from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome


class PersonaServers:
    """Implements `tools.protocol.tools.ToolSource` with the tools of whichever servers run now.

    Args:
        warn: Gets a sentence for people when a server comes or goes.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._servers: tuple[McpServerSettings, ...] = ()
        self._tools = McpTools((), warn)
        self._changing = asyncio.Lock()  # of two changes at once one would leave its servers running

    async def run(self, servers: Sequence[McpServerSettings]) -> None:
        """Ends those that ran and starts others; nothing happens where they are the same."""
        async with self._changing:
            if tuple(servers) == self._servers:
                return
            await self._tools.close()
            self._servers = tuple(servers)
            self._tools = McpTools(self._servers, self._warn)
            await self._tools.start()

    async def close(self) -> None:
        """Ends them."""
        async with self._changing:
            await self._tools.close()

    def problems(self) -> list[str]:
        """Why servers are not connected, a sentence for each that is not."""
        return self._tools.problems()

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now."""
        return self._tools.catalogue()

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Makes a call; every failure is an outcome."""
        return await self._tools.call(call)
