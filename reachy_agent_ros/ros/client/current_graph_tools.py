"""The tools of whichever graph runs, for a program that outlives graphs."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence

from reachy_agent_ros.agent.mcp_tools.offered_tools import Report
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.client.graph_tools import GraphTools
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome

LOOK_PERIOD = 1.0
"""Seconds between two looks whether another graph runs now."""


class CurrentGraphTools:
    """Implements `agent.mcp_tools.offered_tools.OfferedTools`, also with a graph that is started later.

    Who joined before a graph was started may not hear it, because its transport may be another.

    Args:
        join: Makes a client of the graph that runs now.
    """

    def __init__(self, join: Callable[[], GraphClient]) -> None:
        self._join = join
        self._tools: GraphTools | None = None
        self._there = asyncio.Event()
        self._calls = 0

    @contextlib.asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        """Joins the graph that runs, and the next one, until the end of the block."""
        task = asyncio.create_task(self._follow())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now: the same object until something changes."""
        return self._tools.catalogue() if self._tools is not None else ()

    async def trouble(self) -> AgentError | None:
        """Why no tool can be called now, None if they can."""
        return await (await self._joined()).trouble()

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        """Makes a call; every failure is an outcome, and cancelling it cancels the goal."""
        self._calls += 1
        try:
            return await (await self._joined()).call(call, report)
        finally:
            self._calls -= 1

    async def _joined(self) -> GraphTools:
        while self._tools is None:
            await self._there.wait()
        return self._tools

    async def _follow(self) -> None:
        while True:
            with await asyncio.to_thread(self._join) as client:
                self._tools = GraphTools(
                    client.node, HeartbeatWatch(client.node, names.AGENT), client.patience, client.absence
                )
                self._there.set()
                try:
                    await self._outdated(client)
                finally:
                    self._there.clear()
                    self._tools = None

    async def _outdated(self, client: GraphClient) -> None:
        """Until the graph is another one, and no call of the one that was needs the client any more."""
        while True:
            await asyncio.sleep(LOOK_PERIOD)
            if client.outdated and self._calls == 0:
                return
