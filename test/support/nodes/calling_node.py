"""Stub of the agent node that lists and executes tools, for tests of the permissions of callers."""

from __future__ import annotations

import json
import sys
from typing import Any

from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.task import Future
from reachy_agent_msgs.action import ExecuteTool
from reachy_agent_msgs.msg import Heartbeat, ToolCatalogue, ToolSpec

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

SCHEMA = '{"type": "object", "properties": {"yaw_deg": {"type": "number"}}}'


class CallingNode(AgentNode):
    """Stub of the agent node with tools of known behavior.

    `finish` returns the caller, `refuse` is rejected, `wait` runs until it is cancelled, and `learn` adds a tool to the
    list.
    """

    def __init__(self) -> None:
        super().__init__(names.AGENT)
        self._publisher = self.create_publisher(ToolCatalogue, names.TOOLS, LATCHED)
        self._cancelled: Future[None] = Future()
        self._server = ActionServer(
            self,
            ExecuteTool,
            names.CALL_TOOL,
            self._execute,
            callback_group=ReentrantCallbackGroup(),
            cancel_callback=self._cancel,
        )
        self._list("finish", "wait", "refuse", "learn")
        self.state = Heartbeat.READY

    def _list(self, *tools: str) -> None:
        about = [
            ToolSpec(name=name, description=f"To {name}.", enabled=True, arguments_schema=SCHEMA) for name in tools
        ]
        about.append(ToolSpec(name="off", enabled=False, arguments_schema=SCHEMA))
        self._publisher.publish(ToolCatalogue(tools=about))

    def _cancel(self, _goal_handle: Any) -> CancelResponse:
        self._cancelled.set_result(None)
        return CancelResponse.ACCEPT

    async def _execute(self, goal_handle: Any) -> ExecuteTool.Result:
        goal = goal_handle.request
        goal_handle.publish_feedback(ExecuteTool.Feedback(progress=0.5, status="half"))
        if goal.name == "wait":
            self._cancelled = Future(executor=self.executor)
            await self._cancelled
            self._list("finish", "cancelled")
            goal_handle.canceled()
            return ExecuteTool.Result(result_json="{}", error_code=ErrorCode.CANCELED, error_msg="Canceled.")
        if goal.name == "learn":
            self._list("finish", "wait", "refuse", "learn", "new")
        goal_handle.succeed()
        if goal.name == "refuse":
            return ExecuteTool.Result(result_json="{}", error_code=ErrorCode.APPROVAL_DENIED, error_msg="Ada said no.")
        told = {"caller": goal.caller, "arguments": json.loads(goal.arguments_json)}
        return ExecuteTool.Result(result_json=json.dumps(told))


if __name__ == "__main__":
    sys.exit(run(CallingNode))
