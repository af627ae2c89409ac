"""Tool catalog and tool calls over ROS."""

from __future__ import annotations

import json

from rclpy.node import Node
from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.msg import ToolSpec
from reachy_agent_msgs.srv import ListTools

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.gateway.callers import GATEWAY_PREFIX, Caller
from reachy_agent_ros.gateway.models.tools import (
    ExecuteAnswer,
    ExecuteRequest,
    ToolAnswer,
    ToolAuthor,
    ToolFailure,
    ToolOrigin,
    ToolPermission,
    ToolsAnswer,
)
from reachy_agent_ros.ros.client.graph_tools import LONGEST_CALL
from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller, ServiceCaller, error_of
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls, in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches

_ORIGINS: dict[int, ToolOrigin] = {
    ToolSpec.PREDEFINED: "predefined",
    ToolSpec.GENERATED: "generated",
    ToolSpec.EXTERNAL: "external",
}

_AUTHORS: dict[int, ToolAuthor] = {
    ToolSpec.NO_AUTHOR: "none",
    ToolSpec.PERSON: "person",
    ToolSpec.LANGUAGE_MODEL: "language_model",
    ToolSpec.IMPORT: "import",
}

_PERMISSIONS: dict[int, ToolPermission] = {
    ToolSpec.AUTONOMOUS: "autonomous",
    ToolSpec.NOTIFY: "notify",
    ToolSpec.CONFIRM: "confirm",
    ToolSpec.FORBIDDEN: "forbidden",
}

CALLS = 32
"""Maximum number of concurrent calls, twice as many as the tool server runs, because most wait for a person."""

_NEVER_RAN = frozenset(
    {
        ErrorCode.UNKNOWN_TOOL,
        ErrorCode.INVALID_ARGUMENTS,
        ErrorCode.NOT_FINITE,
        ErrorCode.APPROVAL_REQUIRED,
        ErrorCode.APPROVAL_DENIED,
        ErrorCode.TOOL_DISABLED,
        ErrorCode.CANCELED,
    }
)
"""Errors of rejected or cancelled calls, which are raised. The error of a tool that ran is returned in the answer."""


class RosTools:
    """Implements `ToolService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        self._list = ServiceCaller(node, ListTools, names.LIST_TOOLS, watches.of(names.TOOL_SERVER))
        self._calls = ActionCaller(node, ExecuteTool, names.CALL_TOOL, watches.of(names.AGENT))
        self._running = LongCalls("tool calls", CALLS)

    async def catalogue(self) -> ToolsAnswer:
        """Implements `ToolService.catalogue`."""
        request = ListTools.Request(include_disabled=True)
        answer = await in_thread(lambda token: self._list.call(request, cancel=token))
        tools = [_tool(one, one.name in answer.waiting) for one in answer.tools]
        return ToolsAnswer(revision=answer.revision, tools=tools, waiting=list(answer.waiting))

    async def execute(self, asked: ExecuteRequest, caller: Caller) -> ExecuteAnswer:
        """Implements `ToolService.execute`."""
        goal = ExecuteTool.Goal(
            name=asked.tool_name,
            arguments_json=json.dumps(asked.parameters),
            caller=f"{GATEWAY_PREFIX}{caller.name}",
            asked_by=caller.principal.token,
        )
        outcome = await self._running.run(lambda token: self._calls.call(goal, LONGEST_CALL, token))
        elapsed = seconds_of(outcome.elapsed)
        error = error_of(outcome)
        if error is None:
            result = json.loads(outcome.result_json)
            return ExecuteAnswer(status="success", result=result, execution_time=elapsed, error=None)
        if error.code in _NEVER_RAN:
            raise error
        failure = ToolFailure(code=error.code.name, detail=error.message)
        return ExecuteAnswer(status="error", result=None, execution_time=elapsed, error=failure)


def _tool(spec: ToolSpec, waiting: bool) -> ToolAnswer:
    return ToolAnswer(
        name=spec.name,
        description=spec.description,
        parameters=json.loads(spec.arguments_schema),
        version=spec.version,
        source=_ORIGINS[spec.origin],
        author=_AUTHORS[spec.author],
        permission=_PERMISSIONS[spec.permission],
        enabled=spec.enabled,
        moves_robot=spec.moves_robot,
        reversible=spec.reversible,
        untrusted_output=spec.untrusted_output,
        specialist=spec.specialist,
        time_limit=seconds_of(spec.time_limit),
        waiting=waiting,
    )
