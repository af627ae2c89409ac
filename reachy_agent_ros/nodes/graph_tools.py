"""A graph's tools for other agents: every call goes the agent's way, by permissions and into the audit log."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.msg import ToolCatalogue

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.mcp_tools.server import Report
from reachy_agent_ros.mind.toolbox.tools import ToolCall, ToolDescription, ToolOutcome
from reachy_agent_ros.nodes.calls import ActionCaller
from reachy_agent_ros.nodes.client import GraphClient
from reachy_agent_ros.nodes.convert import uuid_message
from reachy_agent_ros.nodes.event_loop import in_thread
from reachy_agent_ros.nodes.heartbeat import HeartbeatWatch
from reachy_agent_ros.nodes.qos import LATCHED
from reachy_agent_ros.nodes.tool_messages import LONGEST_CALL, usable_tools


class GraphTools:
    """Implements `mind.mcp_tools.server.OfferedTools` with the graph that was joined.

    Args:
        client: Joined, and spinning.
    """

    def __init__(self, client: GraphClient) -> None:
        self._client = client
        self._agent = HeartbeatWatch(client.node, names.AGENT)
        self._tools: tuple[ToolDescription, ...] = ()
        self._caller = ActionCaller(client.node, ExecuteTool, names.CALL_TOOL, self._agent)
        self._subscription = client.node.create_subscription(ToolCatalogue, names.TOOLS, self._receive, LATCHED)
        self._joined = asyncio.get_running_loop().time()

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now, none while the agent is silent: the same object until something changes."""
        return self._tools if self._agent.alive else ()

    async def trouble(self) -> AgentError | None:
        """Why no tool can be called now; a graph that was joined a moment ago is given time to be heard."""
        until = self._joined + self._client.patience
        while not self.catalogue():
            if asyncio.get_running_loop().time() > until:
                missing = names.TOOL_SERVER if self._agent.alive else names.AGENT
                return AgentError(ErrorCode.SERVER_UNAVAILABLE, self._client.absence(missing))
            await asyncio.sleep(0.05)
        return None

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        """Makes a call; every failure is an outcome, and cancelling it cancels the goal."""
        loop = asyncio.get_running_loop()

        def hear(feedback: ExecuteTool.Feedback) -> None:  # in the executor's thread
            asyncio.run_coroutine_threadsafe(report(feedback.progress, feedback.status), loop)

        goal = ExecuteTool.Goal(
            name=call.tool,
            arguments_json=call.arguments_json,
            caller=call.session_id,
            turn_id=uuid_message(call.turn_id),
        )
        trouble = await self.trouble()
        if trouble is not None:
            return ToolOutcome("{}", trouble)
        try:
            result = await in_thread(lambda token: self._caller.call(goal, LONGEST_CALL, token, hear, call.turn_id))
        except AgentError as error:
            return ToolOutcome("{}", error)
        if result.error_code != ErrorCode.NONE:
            return ToolOutcome("{}", AgentError(ErrorCode(result.error_code), result.error_msg))
        return ToolOutcome(result.result_json)

    def _receive(self, catalogue: ToolCatalogue) -> None:
        self._tools = usable_tools(catalogue)
