"""An action whose goals run as tool calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node
from rclpy.task import Future

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nodes.qos import CALLS
from reachy_agent_ros.tools.call import ToolCall, ToolOutcome, ToolRequest
from reachy_agent_ros.tools.context import Progress
from reachy_agent_ros.tools.runner import ToolRunner

_RESULT_KEPT = 1
"""s that a result waits to be asked for. With every change of any goal all that are kept are published, so that the
default of 10 s doubles the time of a call when many are made."""


@dataclass(frozen=True)
class ToolAction:
    """Between one action's messages and tool calls.

    Attributes:
        action_type: For example `reachy_agent_msgs.action.MoveHead`.
        name: Action name.
        request: The call that a goal asks for; raises `AgentError` where the goal contradicts itself.
        result: Result message of an outcome; `error_code` and `error_msg` are filled in afterwards.
        feedback: Feedback message of a call's progress, None where it has none to give.
    """

    action_type: type
    name: str
    request: Callable[[Any], ToolRequest]
    result: Callable[[ToolOutcome], Any]
    feedback: Callable[[Progress], Any | None]


class ToolActionServer:
    """Serves one action through the tool runner.

    Every goal is accepted and a bad one ends at once in an error, before anything moves: a rejection could not say
    what was wrong.

    Args:
        node: Node that serves it.
        runner: Runs the calls.
        action: What it serves.
    """

    def __init__(self, node: Node, runner: ToolRunner, action: ToolAction) -> None:
        self._node = node
        self._runner = runner
        self._action = action
        self._calls: dict[bytes, ToolCall] = {}
        self._server = ActionServer(
            node,
            action.action_type,
            action.name,
            self._execute,
            goal_callback=lambda _goal: GoalResponse.ACCEPT,
            cancel_callback=self._cancel,
            goal_service_qos_profile=CALLS,
            result_service_qos_profile=CALLS,
            result_timeout=_RESULT_KEPT,
            callback_group=ReentrantCallbackGroup(),
        )

    async def _execute(self, handle: ServerGoalHandle[Any, Any, Any]) -> Any:
        try:
            request = self._action.request(handle.request)
        except AgentError as error:
            return self._finish(handle, ToolOutcome("{}", error, 0.0, None))
        done: Future[Any] = Future(executor=self._node.executor)
        call = self._runner.start(request, done.set_result, lambda progress: self._report(handle, progress))
        key = bytes(handle.goal_id.uuid)
        self._calls[key] = call
        if handle.is_cancel_requested:
            call.cancel()
        outcome: Any = await done
        del self._calls[key]
        return self._finish(handle, outcome)

    def _finish(self, handle: ServerGoalHandle[Any, Any, Any], outcome: ToolOutcome) -> Any:
        result = self._action.result(outcome)
        if outcome.error is None:
            handle.succeed()
            return result
        result.error_code = int(outcome.error.code)
        result.error_msg = outcome.error.message
        if outcome.error.code is ErrorCode.CANCELED and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        return result

    def _cancel(self, handle: ServerGoalHandle[Any, Any, Any]) -> CancelResponse:
        call = self._calls.get(bytes(handle.goal_id.uuid))
        if call is not None:
            call.cancel()
        return CancelResponse.ACCEPT

    def _report(self, handle: ServerGoalHandle[Any, Any, Any], progress: Progress) -> None:
        feedback = self._action.feedback(progress)
        if feedback is not None:
            handle.publish_feedback(feedback)
