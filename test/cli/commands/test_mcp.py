"""Tests of `reachy-agent mcp`, with the command started by an MCP client."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import TextContent

from reachy_agent_ros.core.names import AGENT, NAMESPACE
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support import TEST
from support.agent.mcp_world import until
from support.domains import Purpose
from support.logged_process import LoggedProcess
from support.nodes.node_process import isolated
from support.waiting import wait_until

NODE = TEST / "support/nodes/calling_node.py"
COMMAND = ["-m", "reachy_agent_ros.cli.cli", "mcp"]


@pytest.fixture(autouse=True)
def own_graph(tmp_path: Path) -> Iterator[None]:
    with isolated(tmp_path, Purpose.NOBODY):
        yield


@contextmanager
def agent() -> Iterator[None]:
    """Starts an agent and waits until other programs can find it."""
    with LoggedProcess([sys.executable, str(NODE)], "calling_node"):
        with GraphClient("test", NAMESPACE) as client:
            watch = HeartbeatMonitor(client.node, AGENT)
            wait_until(lambda: watch.ready, "the agent to be ready")
        yield


@asynccontextmanager
async def other_agent() -> AsyncIterator[Client]:
    parameters = StdioServerParameters(command=sys.executable, args=COMMAND, env=dict(os.environ))
    async with Client(stdio_client(parameters), cache=None) as client:
        yield client


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


async def call(client: Client, tool: str, **settings: Any) -> dict[str, Any]:
    (block,) = (await client.call_tool(tool, {"yaw_deg": 20}, **settings)).content
    assert isinstance(block, TextContent)
    told: dict[str, Any] = json.loads(block.text)
    return told


def test_mcp_client_can_list_call_and_cancel_tools() -> None:
    told: list[tuple[float, str | None]] = []

    async def hear(progress: float, _total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def use() -> None:
        async with other_agent() as client:
            assert await names(client) == ["finish", "wait", "refuse", "learn"]
            finished = await call(client, "finish", progress_callback=hear)
            assert finished == {"caller": "mcp:mcp", "arguments": {"yaw_deg": 20}}
            await until(lambda: told == [(0.5, "half")], "the progress")
            assert await call(client, "refuse") == {"error": "APPROVAL_DENIED", "message": "Ada said no."}
            async with client.listen(tools_list_changed=True) as changes:
                await call(client, "learn")
                await anext(changes)
                assert (await names(client))[-1] == "new"
                told.clear()
                waiting = asyncio.create_task(call(client, "wait", progress_callback=hear))
                await until(lambda: bool(told), "the call")
                waiting.cancel()
                await anext(changes)
                assert await names(client) == ["finish", "cancelled"]

    with agent():
        asyncio.run(use())


def test_end_of_mcp_session_cancels_its_call() -> None:
    told: list[float] = []

    async def hear(progress: float, _total: float | None, _message: str | None) -> None:
        told.append(progress)

    async def use() -> None:
        async with other_agent() as client:
            waiting = asyncio.create_task(call(client, "wait", progress_callback=hear))
            await until(lambda: bool(told), "the call")
        waiting.cancel()
        await asyncio.wait({waiting})
        async with other_agent() as client:
            assert await names(client) == ["finish", "cancelled"]

    with agent():
        asyncio.run(use())


@pytest.mark.nightly
def test_mcp_command_reports_missing_graph_and_finds_it_after_start() -> None:
    async def use() -> None:
        async with other_agent() as client:
            with pytest.raises(MCPError, match="Start one: reachy-agent up"):
                await client.list_tools()
            assert (await call(client, "finish"))["error"] == "SERVER_UNAVAILABLE"
            async with client.listen(tools_list_changed=True) as changes:
                with agent():
                    await anext(changes)
                    assert "finish" in await names(client)

    asyncio.run(use())
