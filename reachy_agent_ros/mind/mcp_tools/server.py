"""Our tools for other agents: an MCP server on standard input and output."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Protocol, cast

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.mind.toolbox.tools import ToolCall, ToolDescription, ToolOutcome

LOOK_PERIOD = 0.2
"""Seconds between two looks whether the catalogue has changed."""

LONGEST_LINE = 1024 * 1024
"""Bytes of one message of a client, which is given up beyond."""

SMALLEST_PROGRESS = 0.01
"""Of a call, from 0 to 1, that is worth a message."""

INSTRUCTIONS = (
    "The tools of a Reachy Mini robot that stands in a real room. It has permissions of its own: a call may wait until "
    "a person has said yes, and is an error if they say no or nothing. Angles are in degrees, lengths in metres."
)
"""For the other agent's model."""

_Context = ServerRequestContext[Any, Any]
Report = Callable[[float, str], Coroutine[Any, Any, None]]
"""Takes the progress of a call, 0 to 1, and what is being done, in words."""


class OfferedTools(Protocol):
    """A `mind.toolbox.tools.ToolSource` that also tells how its calls go on. It is used from one event loop."""

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now: the same object until something changes."""
        ...

    async def trouble(self) -> AgentError | None:
        """Why no tool can be called now, None if they can; it may take a moment to find out."""
        ...

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        """Makes a call; every failure is an outcome, and cancelling it cancels what it started."""
        ...


class McpServer:
    """Serves one client, in the handshake protocol or that of 2026-07-28.

    Args:
        tools: What is offered; who may use what is decided behind it.
        version: Ours, which the client is told.
    """

    def __init__(self, tools: OfferedTools, version: str) -> None:
        self._tools = tools
        self._changes = InMemorySubscriptionBus()
        self._session: ServerSession | None = None
        self._server: Server[Any] = Server(
            "reachy-mini",
            version=version,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
            on_subscriptions_listen=ListenHandler(self._changes),
        )

    async def serve(self) -> None:
        """Serves until the client leaves; calls that still run are cancelled then."""
        logging.getLogger("mcp").setLevel(logging.CRITICAL)  # a client's mistakes are told to the client
        options = self._server.create_initialization_options(NotificationOptions(tools_changed=True))
        async with stdio_server(stdin=cast("anyio.AsyncFile[str]", _input_lines())) as (read, write):
            announcing = asyncio.create_task(self._announce())
            try:
                await self._server.run(read, write, options)
            finally:
                announcing.cancel()

    async def _list(self, context: _Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        if context.session.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
            self._session = context.session
        trouble = await self._tools.trouble()
        if trouble is not None:
            raise MCPError(INTERNAL_ERROR, trouble.message)
        return ListToolsResult(tools=[_tool(tool) for tool in self._tools.catalogue()])

    async def _call(self, context: _Context, params: CallToolRequestParams) -> CallToolResult:
        told = -1.0

        async def report(progress: float, status: str) -> None:
            nonlocal told
            if progress >= told + SMALLEST_PROGRESS:
                told = progress
                await context.session.report_progress(progress, 1.0, status or None)

        call = ToolCall(params.name, json.dumps(params.arguments or {}), uuid.uuid4(), _caller(context.session))
        return _result(await self._tools.call(call, report))

    async def _announce(self) -> None:
        """Tells of changes, in the way of both protocols."""
        known = self._tools.catalogue()
        while True:
            await asyncio.sleep(LOOK_PERIOD)
            now = self._tools.catalogue()
            if now is known:
                continue
            known = now
            await self._changes.publish(ToolsListChanged())
            if self._session is not None:
                await self._session.send_tool_list_changed()


async def _input_lines() -> AsyncIterator[str]:
    """Standard input line by line: the library would read it in a thread that no cancel and no Ctrl-C can end."""
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    loop = asyncio.get_running_loop()
    transport, _protocol = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    try:
        while line := await reader.readline():
            yield line.decode(errors="replace")
    except ValueError:  # longer than that, so the client is given up
        return
    finally:
        transport.close()


def _tool(tool: ToolDescription) -> Tool:
    asks = " A person is asked before each call." if tool.needs_approval else ""
    return Tool(
        name=tool.name,
        description=tool.description + asks,
        input_schema=dict(tool.schema),
        annotations=ToolAnnotations(destructive_hint=not tool.reversible, open_world_hint=tool.untrusted_output),
    )


def _result(outcome: ToolOutcome) -> CallToolResult:
    text = [TextContent(text=outcome.for_model)]
    if outcome.error is not None:
        return CallToolResult(content=list(text), is_error=True)
    return CallToolResult(content=list(text), structured_content=json.loads(outcome.result_json))


def _caller(session: ServerSession) -> str:
    """Who asks, for permissions and the audit log; the client's own word, so it earns no trust."""
    about = session.client_params
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", about.client_info.name)[:40] if about is not None else "unknown"
    return f"mcp:{name}"
