"""Tools of a running graph: reads the tool catalog, and offers the tools to other agents.

Calls by other agents are subject to the same permissions and audit log as the robot's own calls.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.msg import ToolCatalogue, ToolSpec

from reachy_agent_ros.agent.mcp_tools.offered_tools import Report
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, error_of
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, uuid_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from reachy_agent_ros.tools.protocol.tools import ToolAuthor, ToolCall, ToolDescription, ToolOrigin, ToolOutcome

_log = logging.getLogger(__name__)

LONGEST_CALL = 3600.0 + 600.0 + 10.0
"""Time limit of a call, s: the longest approval time, the longest run time of a tool, and a margin."""

_CALLS = 32
"""Maximum number of concurrent calls, in separate threads: most of them wait for a person, and would block others."""

_LOOK_PERIOD = 1.0
"""Period for checking whether another graph has been started, s."""


class GraphTools:
    """Tools of a graph that a client has joined. Implements `agent.mcp_tools.offered_tools.OfferedTools`.

    Args:
        node: Node in the graph, whose executor spins in another thread.
        agent: Heartbeat monitor of the agent, created on that node.
        patience: Time after construction to wait for the first heartbeat and tool catalog, s.
        absence: Returns an error message about a missing node, given its name.
    """

    def __init__(self, node: Node, agent: HeartbeatMonitor, patience: float, absence: Callable[[str], str]) -> None:
        self._absence = absence
        self._patience = Deadline(patience)
        self._agent = agent
        self._workers = ThreadPoolExecutor(_CALLS, thread_name_prefix="offered_tool")
        self._tools: tuple[ToolDescription, ...] = ()
        self._caller = ActionCaller(node, ExecuteTool, names.CALL_TOOL, self._agent)
        self._subscription = node.create_subscription(ToolCatalogue, names.TOOLS, self._receive, LATCHED)

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the callable tools, as the same object until they change. None are callable without an agent."""
        return self._tools if self._agent.alive else ()

    async def trouble(self) -> AgentError | None:
        """Returns the error that prevents tool calls, or None. Waits if the client has only just joined the graph."""
        while not self.catalogue():
            if self._patience.passed:
                missing = names.TOOL_SERVER if self._agent.alive else names.AGENT
                return AgentError(ErrorCode.SERVER_UNAVAILABLE, self._absence(missing))
            await asyncio.sleep(0.05)
        return None

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        """Calls a tool. Returns errors in the outcome. Canceling the coroutine cancels the goal."""
        loop = asyncio.get_running_loop()

        def hear(feedback: ExecuteTool.Feedback) -> None:  # in the executor's thread
            asyncio.run_coroutine_threadsafe(report(feedback.progress, feedback.status), loop)

        goal = ExecuteTool.Goal(
            name=call.tool,
            arguments_json=call.arguments_json,
            caller=call.session_id,
            asked_by=call.asked_by,
            turn_id=uuid_message(call.turn_id),
        )
        trouble = await self.trouble()
        if trouble is not None:
            return ToolOutcome("{}", trouble)
        try:
            result = await in_thread(
                lambda token: self._caller.call(goal, LONGEST_CALL, token, hear, call.turn_id), self._workers
            )
        except AgentError as error:
            return ToolOutcome("{}", error)
        failure = error_of(result)
        return ToolOutcome(result.result_json if failure is None else "{}", failure)

    def _receive(self, catalogue: ToolCatalogue) -> None:
        self._tools = usable_tools(catalogue)


class CurrentGraphTools:
    """Tools of the current graph, which may start later or be replaced. Implements `OfferedTools`.

    A client that was created before a graph started may be unable to reach it, because the transport may differ.


    Args:
        join: Creates a client of the current graph.
    """

    def __init__(self, join: Callable[[], GraphClient]) -> None:
        self._join = join
        self._tools: GraphTools | None = None
        self._there = asyncio.Event()
        self._calls = 0

    @contextlib.asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        """Joins the current graph, and any graph that replaces it, during a `with` block."""
        task = asyncio.create_task(self._follow())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the callable tools, as the same object until they change."""
        return self._tools.catalogue() if self._tools is not None else ()

    async def trouble(self) -> AgentError | None:
        """Returns the error that prevents tool calls, or None."""
        return await (await self._joined()).trouble()

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        """Calls a tool. Returns errors in the outcome. Canceling the coroutine cancels the goal."""
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
                    client.node, HeartbeatMonitor(client.node, names.AGENT), client.patience, client.absence
                )
                self._there.set()
                try:
                    await self._outdated(client)
                finally:
                    self._there.clear()
                    self._tools = None

    async def _outdated(self, client: GraphClient) -> None:
        """Waits until the client's graph has ended or has been replaced, and until no call is running."""
        while True:
            await asyncio.sleep(_LOOK_PERIOD)
            if client.outdated and self._calls == 0:
                return


def usable_tools(catalogue: ToolCatalogue) -> tuple[ToolDescription, ...]:
    """Returns the callable tools of a catalog. Logs and skips malformed tools."""
    found = (_read(tool) for tool in catalogue.tools if _is_usable(tool))
    return tuple(tool for tool in found if tool is not None)


def _read(tool: ToolSpec) -> ToolDescription | None:
    """Parses the description of a tool. Logs and returns None for a malformed one, which any node may publish."""
    try:
        return described(tool)
    except (ValueError, LookupError, RecursionError) as error:
        _log.error("The tool %.60r in the catalog cannot be read: %.200s", tool.name, error)
        return None


def _is_usable(tool: ToolSpec) -> bool:
    return bool(tool.enabled) and tool.permission != ToolSpec.FORBIDDEN


def described(tool: ToolSpec) -> ToolDescription:
    """Converts the message that describes a tool.

    Raises:
        ValueError: The schema of the arguments is invalid.
        LookupError: The origin or the author is invalid.
    """
    return ToolDescription(
        name=tool.name,
        description=tool.description,
        schema=_schema(tool.arguments_schema),
        time_limit=seconds_of(tool.time_limit),
        needs_approval=tool.permission == ToolSpec.CONFIRM,
        reversible=tool.reversible,
        origin=tuple(ToolOrigin)[tool.origin],
        moves_robot=tool.moves_robot,
        specialist=tool.specialist,
        untrusted_output=tool.untrusted_output,
        author=tuple(ToolAuthor)[tool.author],
    )


def _schema(text: str) -> dict[str, Any]:
    schema = json.loads(text)
    if not isinstance(schema, dict):
        raise ValueError("the schema of the arguments is not a JSON object")
    return schema
