"""MCP client, with the tools of servers that the user configures or that a persona includes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome

if TYPE_CHECKING:
    from mcp_types import Tool

    from reachy_agent_ros.agent.mcp_tools.connection import McpConnection

CLOSE_TIME = 2.0
"""Time limit for disconnecting from all servers, s. Programs end within one second; HTTP servers may never respond."""


@dataclass(frozen=True)
class _Offer:
    """Tool with the connection to its server and its name on the server."""

    description: ToolDescription
    connection: McpConnection
    own_name: str


class McpTools:
    """Tools of MCP servers. Implements `tools.protocol.tools.ToolSource`.

    Nothing waits for a server: its tools are available only while it is connected.

    Args:
        servers: All servers, with unique names.
        warn: Called with a sentence for people when a server connects or disconnects, or a tool is left out. A sentence
            about a server is not repeated until a different one has been reported.
    """

    def __init__(self, servers: Iterable[McpServerSettings], warn: Callable[[str], None]) -> None:
        self._servers = tuple(servers)
        self._warn = warn
        self._states: dict[str, str] = {}
        self._lost: set[str] = set()
        self._complaints: dict[str, str] = {}
        self._listed: dict[str, Sequence[Tool]] = {}
        self._offers: dict[str, dict[str, _Offer]] = {}
        self._catalogue: tuple[ToolDescription, ...] = ()
        self._running: list[asyncio.Task[None]] = []
        self._failure = ""

    async def start(self) -> None:
        """Starts connecting to the servers in the background."""
        if self._servers:
            self._running = [asyncio.create_task(self._keep_all())]
            self._running[0].add_done_callback(self._report_failure)

    async def close(self) -> None:
        """Stops all servers and the processes that they started, within `CLOSE_TIME`."""
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=CLOSE_TIME)
        self._running = []

    def states(self) -> Mapping[str, str]:
        """Returns the latest connection state of each server as a sentence, by server name."""
        return {server.name: self._states.get(server.name, "connecting") for server in self._servers}

    def problems(self) -> list[str]:
        """Returns a sentence for each server whose last connection failed or was lost, and one if the client failed."""
        lost = [state for name, state in self.states().items() if name in self._lost]
        return [self._failure, *lost] if self._failure else lost

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that can be called now. The object stays the same until the tools change."""
        return self._catalogue

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Calls a tool. Errors are returned in the outcome. Cancelling also cancels the request at the server."""
        offer = next((offers[call.tool] for offers in self._offers.values() if call.tool in offers), None)
        if offer is None:
            return ToolOutcome("{}", AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no tool {call.tool!r:.80}."))
        try:
            arguments = read_arguments(offer.description, call.arguments_json)
        except AgentError as error:
            return ToolOutcome("{}", error)
        return await offer.connection.call(offer.own_name, arguments)

    async def _keep_all(self) -> None:
        # Importing the SDK takes seconds and must not block the event loop.
        connection = await asyncio.to_thread(_connection_class)
        async with asyncio.TaskGroup() as group:
            for settings in self._servers:
                group.create_task(self._keep(connection, settings))

    async def _keep(self, connection_class: type[McpConnection], settings: McpServerSettings) -> None:
        def take(tools: Sequence[Tool]) -> None:
            self._take(settings, connection, tools)

        def note(state: str, connected: bool) -> None:
            (self._lost.discard if connected else self._lost.add)(settings.name)
            self._tell(self._states, settings, state)

        connection = connection_class(settings, take, note)
        await connection.run()

    def _report_failure(self, task: asyncio.Task[None]) -> None:
        """Reports an unexpected error of the client, which disconnects all servers."""
        if not task.cancelled() and (error := task.exception()) is not None:
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            self._failure = f"MCP servers cannot be used until the next start: {type(error).__name__}: {error}"
            self._warn(self._failure)

    def _take(self, settings: McpServerSettings, connection: McpConnection, tools: Sequence[Tool]) -> None:
        from reachy_agent_ros.agent.mcp_tools.described_tools import described_tools

        if tools is self._listed.get(settings.name):
            return
        self._listed[settings.name] = tools
        found = described_tools(settings, tools)
        if found.complaint and tools:
            self._tell(self._complaints, settings, found.complaint)
        offers = ((about, _Offer(about, connection, own_name)) for own_name, about in found.tools.items())
        self._offers[settings.name] = {about.name: offer for about, offer in offers}
        order = (self._offers.get(server.name, {}) for server in self._servers)
        self._catalogue = tuple(offer.description for offers in order for offer in offers.values())

    def _tell(self, told: dict[str, str], settings: McpServerSettings, sentence: str) -> None:
        """Reports a message about a server. Ignores a repeated message, because a failure may recur every minute."""
        if told.get(settings.name) != sentence:
            told[settings.name] = sentence
            self._warn(sentence)


class PersonaServers:
    """Tools of the current persona's MCP servers. Implements `tools.protocol.tools.ToolSource`.

    Args:
        warn: Called with sentences for people; see `McpTools`.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._servers: tuple[McpServerSettings, ...] = ()
        self._tools = McpTools((), warn)
        self._changing = asyncio.Lock()  # with two concurrent changes, one would leave its servers running

    async def run(self, servers: Sequence[McpServerSettings]) -> None:
        """Stops the running servers and starts the given servers. Does nothing if both are the same servers."""
        async with self._changing:
            if tuple(servers) == self._servers:
                return
            await self._tools.close()
            self._servers = tuple(servers)
            self._tools = McpTools(self._servers, self._warn)
            await self._tools.start()

    async def close(self) -> None:
        """Stops the running servers."""
        async with self._changing:
            await self._tools.close()

    def problems(self) -> list[str]:
        """Returns a sentence for each problem; see `McpTools.problems`."""
        return self._tools.problems()

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that can be called now."""
        return self._tools.catalogue()

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Calls a tool. Errors are returned in the outcome."""
        return await self._tools.call(call)


def _connection_class() -> type[McpConnection]:
    from reachy_agent_ros.agent.mcp_tools.connection import McpConnection

    return McpConnection
