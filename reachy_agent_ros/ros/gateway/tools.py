"""Tools over ROS: the catalogue of the tool server, calls by way of the agent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.msg import ToolSpec
from reachy_agent_msgs.srv import ListTools

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.callers import GATEWAY_PREFIX
from reachy_agent_ros.gateway.ports.tools import Tool, ToolList, ToolResult
from reachy_agent_ros.ros.client.tool_messages import LONGEST_CALL
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls, in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches

SOURCES = {ToolSpec.PREDEFINED: "predefined", ToolSpec.GENERATED: "generated", ToolSpec.EXTERNAL: "external"}

PERMISSIONS = {
    ToolSpec.AUTONOMOUS: "autonomous",
    ToolSpec.NOTIFY: "notify",
    ToolSpec.CONFIRM: "confirm",
    ToolSpec.FORBIDDEN: "forbidden",
}

CALLS = 32
"""At once, of which most wait for a person: the tool server runs half as many."""


class RosTools:
    """Implements `gateway.ports.tools.Tools`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        self._list = ServiceCaller(node, ListTools, names.LIST_TOOLS, watches.of(names.TOOL_SERVER))
        self._calls = ActionCaller(node, ExecuteTool, names.CALL_TOOL, watches.of(names.AGENT))
        self._running = LongCalls("tool calls", CALLS)

    async def catalogue(self) -> ToolList:
        """All tools there are now."""
        request = ListTools.Request(include_disabled=True)
        answer = await in_thread(lambda token: self._list.call(request, cancel=token))
        return ToolList(answer.revision, [_tool(one) for one in answer.tools], list(answer.waiting))

    async def execute(self, name: str, arguments: Mapping[str, Any], caller: str, asked_by: str) -> ToolResult:
        """Calls a tool by the agent's permissions and on its record; cancelling this cancels the call."""
        goal = ExecuteTool.Goal(
            name=name,
            arguments_json=json.dumps(arguments),
            caller=f"{GATEWAY_PREFIX}{caller}",
            asked_by=asked_by,
        )
        result = await self._running.run(lambda token: self._calls.call(goal, LONGEST_CALL, token))
        elapsed = seconds_of(result.elapsed)
        if result.error_code != ErrorCode.NONE:
            return ToolResult({}, elapsed, AgentError(ErrorCode(result.error_code), result.error_msg))
        return ToolResult(json.loads(result.result_json), elapsed)


def _tool(spec: ToolSpec) -> Tool:
    return Tool(
        name=spec.name,
        description=spec.description,
        parameters=json.loads(spec.arguments_schema),
        version=spec.version,
        source=SOURCES[spec.origin],
        permission=PERMISSIONS[spec.permission],
        enabled=spec.enabled,
        moves_robot=spec.moves_robot,
        reversible=spec.reversible,
        untrusted_output=spec.untrusted_output,
        specialist=spec.specialist,
        time_limit=seconds_of(spec.time_limit),
    )
