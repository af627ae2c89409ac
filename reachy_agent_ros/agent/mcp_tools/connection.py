"""Connection to one MCP server, which reconnects in the background."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import anyio
import httpx2
import mcp_types
from agents.exceptions import AgentsException
from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from mcp.client.session import ClientSession, IncomingMessage
from mcp.client.subscriptions import listen
from mcp.shared.exceptions import MCPError

from reachy_agent_ros.agent.guardrails.tool_output import bounded
from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.agent.mcp_tools.stdio_process import StdioProcess
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

START_TIME = 30.0
"""Time limit from the start of a server to its list of tools, s. `npx` and `uvx` may download the server first."""

LOOK_TIME = 10.0
"""Time limit for listing the tools again, s. A longer wait counts as a lost connection."""

LOOK_PERIOD = 30.0
"""Time between two requests for the tool list of a server that reports no changes, s."""

LOOK_PAUSE = 0.2
"""Pause before each request for the tool list, s. Limits the load caused by a server that reports changes endlessly."""

FIRST_DELAY, LONGEST_DELAY = 1.0, 60.0
"""Delay before a server is restarted, s. Doubles each time; reset once the server has run for the longest delay."""

MOST_PAGES = 10
"""Maximum number of pages of a tool list."""

_FAILURES = (
    AgentError,
    AgentsException,
    MCPError,
    httpx2.HTTPError,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    ExceptionGroup,
    RuntimeError,  # from the client, for results that contradict their own schema
    ValueError,  # includes errors of pydantic
    OSError,  # includes TimeoutError
)
"""Exceptions that were observed in requests to misbehaving servers."""

# These libraries log output of the server. This module reports errors itself, once and without secrets.
for _library in ("mcp", "openai.agents"):
    logging.getLogger(_library).setLevel(logging.CRITICAL)

_LONGEST_ERROR = 500
"""Maximum length of a tool's error message, characters."""


class McpConnection:
    """Connection to one MCP server.

    Args:
        settings: Settings of the server.
        on_tools: Called in the event loop with the tools, which stay the same object until they change, and with an
            empty sequence when the connection is lost.
        on_state: Called after each connection and each failure, with a sentence for people and whether the server is
            connected.
    """

    def __init__(
        self,
        settings: McpServerSettings,
        on_tools: Callable[[Sequence[mcp_types.Tool]], None],
        on_state: Callable[[str, bool], None],
    ) -> None:
        self._settings = settings
        self._on_tools = on_tools
        self._on_state = on_state
        self._server: MCPServerStdio | MCPServerStreamableHttp | None = None
        self._look = asyncio.Event()
        self._ended = False
        self._process: StdioProcess | None = None

    async def run(self) -> None:
        """Keeps the connection open until cancelled. Cancelling stops the server."""
        delay, loop = FIRST_DELAY, asyncio.get_running_loop()
        while True:
            begun = loop.time()
            try:
                await self._serve()
            except _FAILURES as error:
                self._on_state(f"The MCP server {self._settings.name} is not connected: {self._reason(error)}", False)
            finally:
                self._on_tools(())
            delay = FIRST_DELAY if loop.time() - begun > LONGEST_DELAY else delay
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_DELAY)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolOutcome:
        """Calls a tool. Errors are returned in the outcome. Cancelling also cancels the request.

        Args:
            tool: Name of the tool on the server.
            arguments: Arguments of the call.
        """
        name, limit = self._settings.name, self._settings.time_limit
        if self._server is None:
            return _failed(ErrorCode.SERVER_UNAVAILABLE, f"The MCP server {name} is not connected.")
        try:
            async with asyncio.timeout(limit):
                return _outcome_of(await self._server.call_tool(tool, dict(arguments)))
        except _FAILURES as error:
            self._look.set()  # checks whether the server still responds
            if isinstance(error, TimeoutError):
                return _failed(
                    ErrorCode.TIMEOUT, f"{tool!r:.80} of the MCP server {name} took longer than {limit:g} s."
                )
            if self._ended or (isinstance(error, MCPError) and error.code == mcp_types.CONNECTION_CLOSED):
                return _failed(ErrorCode.SERVER_LOST, f"The MCP server {name} was lost during the call.")
            return _failed(ErrorCode.TOOL_FAILED, f"{name}: {self._reason(error)}")

    async def _serve(self) -> None:
        """Connects to the server and keeps its list of tools up to date until the connection is lost."""
        self._ended = False
        server = self._new_server()
        listening: asyncio.Task[None] | None = None
        try:
            async with asyncio.timeout(START_TIME):
                await server.connect()  # type: ignore[no-untyped-call] # the SDK has no types here
                tools = await server.list_tools()
            assert server.session is not None  # noqa: S101 - it is connected
            listening = asyncio.create_task(self._listen(server.session))
            self._server = server
            self._on_state(f"The MCP server {self._settings.name} is connected.", True)
            self._on_tools(tools)
            while True:
                self._on_tools(tools := await self._looked(server, tools))
        finally:
            self._server = None
            if listening is not None:
                listening.cancel()
            await server.cleanup()  # type: ignore[no-untyped-call] # see above

    async def _looked(
        self, server: MCPServerStdio | MCPServerStreamableHttp, known: list[mcp_types.Tool]
    ) -> list[mcp_types.Tool]:
        """Requests the tool list again after a reported change or a failed call, or when `LOOK_PERIOD` has passed."""
        # Not `asyncio.wait_for`: in Python 3.11 it ignores a cancellation that arrives while the event is being set, so
        # that a server would outlive the agent.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_PERIOD):
                await self._look.wait()
        if not self._ended:
            await asyncio.sleep(LOOK_PAUSE)
        self._look.clear()
        if self._ended:
            raise AgentError(ErrorCode.SERVER_LOST, self._ending)
        async with asyncio.timeout(LOOK_TIME):
            tools = await server.list_tools()
        return known if tools == known else tools

    async def _listen(self, session: ClientSession) -> None:
        """Subscribes to changes of the tool list, which the newer protocol version reports only to subscribers."""
        with contextlib.suppress(*_FAILURES):
            async with listen(session, tools_list_changed=True) as changes:
                self._look.set()  # the server does not replay changes from before the subscription
                async for _change in changes:
                    self._look.set()

    def _new_server(self) -> MCPServerStdio | MCPServerStreamableHttp:
        settings = self._settings
        if settings.url is not None:
            return MCPServerStreamableHttp(
                {"url": settings.url, "headers": settings.http_headers(), "timeout": LOOK_TIME},
                name=settings.name,
                client_session_timeout_seconds=None,  # each request has its own limit
                message_handler=self._notice,
                max_list_pages=MOST_PAGES,
            )
        self._process = StdioProcess(settings, self._end)
        return _Stdio(settings, self._process, self._notice)

    async def _notice(self, message: IncomingMessage) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification):
            self._look.set()

    def _end(self) -> None:
        self._ended = True
        self._look.set()

    @property
    def _ending(self) -> str:
        return self._process.ending if self._process is not None else "it ended."

    def _reason(self, error: Exception) -> str:
        """Returns a description of an error, with secrets masked."""
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, TimeoutError):
            return "it does not respond."
        if isinstance(error, MCPError) and error.code == mcp_types.CONNECTION_CLOSED:
            error = AgentError(ErrorCode.SERVER_LOST, self._ending)
        words = self._process.last_words if self._process is not None else ""
        told = error.message if isinstance(error, AgentError | MCPError) else str(error) or type(error).__name__
        return self._settings.hide(bounded(told, 300)) + (f" Its last output: {words}" if words else "")


class _Stdio(MCPServerStdio):
    """Client of the MCP SDK that communicates through `StdioProcess` instead of the SDK's own transport."""

    def __init__(self, settings: McpServerSettings, process: StdioProcess, notice: Callable[..., Any]) -> None:
        super().__init__(
            {"command": str(settings.command)},
            name=settings.name,
            client_session_timeout_seconds=None,
            message_handler=notice,
            max_list_pages=MOST_PAGES,
        )
        self._process = process

    def create_streams(self) -> AbstractAsyncContextManager[Any]:
        return self._process.streams()


def _failed(code: ErrorCode, message: str) -> ToolOutcome:
    return ToolOutcome("{}", AgentError(code, message))


def _outcome_of(result: mcp_types.CallToolResult) -> ToolOutcome:
    """Converts a tool result to {"text": ...} or an error. Replaces images and audio with descriptions."""
    texts = [_text(block) for block in result.content]
    if not texts and result.structured_content is not None:
        texts = [json.dumps(result.structured_content, ensure_ascii=False)]
    text = "\n".join(texts).strip()
    if result.is_error:
        message = bounded(text, _LONGEST_ERROR) or "The tool failed without giving a reason."
        return ToolOutcome("{}", AgentError(ErrorCode.TOOL_FAILED, message))
    return ToolOutcome(json.dumps({"text": bounded(text)}, ensure_ascii=False))


def _text(block: mcp_types.ContentBlock) -> str:
    if isinstance(block, mcp_types.TextContent):
        return block.text
    if isinstance(block, mcp_types.ImageContent | mcp_types.AudioContent):
        return f"[{block.mime_type[:40]}, {len(block.data) * 3 // 4} bytes, left out]"
    if isinstance(block, mcp_types.EmbeddedResource) and isinstance(block.resource, mcp_types.TextResourceContents):
        return block.resource.text
    if isinstance(block, mcp_types.ResourceLink):
        return f"[{block.name[:100]}: {block.uri[:200]}]"
    return "[content that is not text, left out]"
