"""MCP server that offers the robot's tools to other agents, over HTTP or over standard input and output."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
import sys
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any, cast

import anyio
import mcp_types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from reachy_agent_ros.agent.mcp_tools.offered_tools import Client, OfferedTools
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOrigin, ToolOutcome

_log = logging.getLogger(__name__)

LOOK_PERIOD = 0.2
"""Time between two checks for a changed catalogue, s."""

SMALLEST_PROGRESS = 0.01
"""Minimum increase in a call's progress between two reports, 0 to 1."""

MOST_SESSIONS = 100
"""Maximum number of handshake protocol clients that are notified of changes. The newer protocol has no sessions."""

INSTRUCTIONS = (
    "The tools of a Reachy Mini robot or its simulation. The robot has permissions of its own: a call may wait until a "
    "person has said yes, and is an error if they say no or nothing. Angles are in degrees; the names of lengths end "
    "in their unit."
)
"""Instructions for the model of the other agent."""

PHOTO_TOOL = "take_photo"
"""Predefined tool whose result is the path of a picture on this machine, which another agent cannot open."""

MAX_PICTURE = 4 * 1024 * 1024
"""Maximum size of a picture in a response, bytes."""

_JPEG = b"\xff\xd8\xff"

Context = ServerRequestContext[Any, Any]

LONGEST_LINE = 1024 * 1024
"""Maximum size of a client's message, bytes. A longer message ends the connection."""


def claimed_client(context: Context) -> Client:
    """Returns the client under the name that the client itself has sent. The name is not verified."""
    about = context.session.client_params
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", about.client_info.name)[:40] if about is not None else "unknown"
    return Client(f"mcp:{name}")


class McpServer:
    """MCP server for protocol version 2026-07-28 and for earlier versions, which begin with a handshake.

    Args:
        tools: Offered tools, which check permissions themselves.
        version: Version of this package, for clients.
        caller: Returns the client that calls a tool; raises `MCPError` for a client without access.

    Attributes:
        protocol: Server of the MCP library, which a transport runs.
    """

    def __init__(self, tools: OfferedTools, version: str, caller: Callable[[Context], Client] = claimed_client) -> None:
        self._tools = tools
        self._caller = caller
        self._changes = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._changes)
        self._sessions: OrderedDict[str, ServerSession] = OrderedDict()
        self._announcing: asyncio.Task[None] | None = None
        self.protocol: Server[Any] = Server(
            "reachy-mini",
            version=version,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
            on_subscriptions_listen=self._listen,
        )

    def close(self) -> None:
        """Stops announcing changes of the tools to clients."""
        if self._announcing is not None:
            self._announcing.cancel()

    async def _list(
        self, context: Context, _params: mcp_types.PaginatedRequestParams | None
    ) -> mcp_types.ListToolsResult:
        self._attend(context)
        trouble = await self._tools.trouble()
        if trouble is not None:
            raise MCPError(mcp_types.INTERNAL_ERROR, trouble.message)
        return mcp_types.ListToolsResult(tools=[_tool(tool) for tool in self._tools.catalogue()])

    async def _call(self, context: Context, params: mcp_types.CallToolRequestParams) -> mcp_types.CallToolResult:
        self._attend(context)
        told = -1.0

        async def report(progress: float, status: str) -> None:
            nonlocal told
            if progress >= told + SMALLEST_PROGRESS:
                told = progress
                await context.session.report_progress(progress, 1.0, status or None)

        client = self._caller(context)
        arguments_json = json.dumps(params.arguments or {})
        call = ToolCall(params.name, arguments_json, uuid.uuid4(), client.name, asked_by=client.token)
        outcome = await self._tools.call(call, report)
        picture = await asyncio.to_thread(_picture, outcome) if self._takes_photos(params.name) else None
        return _result(outcome, picture)

    def _takes_photos(self, name: str) -> bool:
        """Returns whether a tool is the predefined photo tool. Paths in the results of other tools are not trusted."""
        return name == PHOTO_TOOL and any(
            tool.name == name and tool.origin is ToolOrigin.PREDEFINED for tool in self._tools.catalogue()
        )

    async def _listen(
        self, context: Context, params: mcp_types.SubscriptionsListenRequestParams
    ) -> mcp_types.SubscriptionsListenResult:
        self._attend(context)
        return await self._listening(context, params)

    def _attend(self, context: Context) -> None:
        """Starts to announce tool changes to a client at its first request, as the protocol version requires."""
        if context.session.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
            session = "" if context.request is None else context.request.headers.get(MCP_SESSION_ID_HEADER, "")
            self._sessions[session] = context.session
            self._sessions.move_to_end(session)
            if len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
        if self._announcing is None:
            self._announcing = asyncio.create_task(self._announce(self._tools.catalogue()))

    async def _announce(self, known: Sequence[ToolDescription]) -> None:
        while True:
            await asyncio.sleep(LOOK_PERIOD)
            now = self._tools.catalogue()
            if now is known:
                continue
            known = now
            await self._changes.publish(ToolsListChanged())
            for session in list(self._sessions.values()):  # has no effect for clients that have left
                await session.send_tool_list_changed()


async def serve(server: McpServer) -> None:
    """Serves one client on standard input and output until it disconnects, then cancels its running calls."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # a client receives its own errors
    options = server.protocol.create_initialization_options(NotificationOptions(tools_changed=True))
    async with stdio_server(stdin=cast("anyio.AsyncFile[str]", _input_lines())) as (read, write):
        try:
            await server.protocol.run(read, write, options)
        finally:
            server.close()


def _tool(tool: ToolDescription) -> mcp_types.Tool:
    asks = " A person is asked before each call." if tool.needs_approval else ""
    return mcp_types.Tool(
        name=tool.name,
        description=tool.description + asks,
        input_schema=dict(tool.schema),
        annotations=mcp_types.ToolAnnotations(
            destructive_hint=not tool.reversible, open_world_hint=tool.untrusted_output
        ),
    )


def _result(outcome: ToolOutcome, picture: mcp_types.ImageContent | None) -> mcp_types.CallToolResult:
    content: list[mcp_types.ContentBlock] = [mcp_types.TextContent(text=outcome.for_model)]
    if outcome.error is not None:
        return mcp_types.CallToolResult(content=content, is_error=True)
    if picture is not None:
        content.append(picture)
    return mcp_types.CallToolResult(content=content, structured_content=json.loads(outcome.result_json))


def _picture(outcome: ToolOutcome) -> mcp_types.ImageContent | None:
    """Returns the JPEG image of a photo tool; None if the call failed, or the file is unreadable, too large or no JPEG.

    The file may be on another machine.
    """
    if outcome.error is not None:
        return None
    try:
        path = Path(json.loads(outcome.result_json)["path"])
        if path.stat().st_size > MAX_PICTURE:
            return None
        jpeg = path.read_bytes()
    except OSError as error:
        _log.warning("The photo cannot be read for the MCP client: %s", error)
        return None
    if not jpeg.startswith(_JPEG):
        return None
    return mcp_types.ImageContent(data=base64.b64encode(jpeg).decode(), mime_type="image/jpeg")


async def _input_lines() -> AsyncIterator[str]:
    """Yields lines of standard input. Cancellation and Ctrl-C can end this reader, unlike the library's thread."""
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    loop = asyncio.get_running_loop()
    transport, _protocol = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    try:
        while line := await reader.readline():
            yield line.decode(errors="replace")
    except ValueError:  # the line exceeds `LONGEST_LINE`, so the connection ends
        return
    finally:
        transport.close()
