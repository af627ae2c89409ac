"""An action whose goals are worked on elsewhere, and end when that work says so."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nodes.convert import uuid_from_message
from reachy_agent_ros.nodes.qos import CALLS

RESULT_KEPT = 10
"""s that a result waits to be asked for."""


class Goal:
    """One accepted goal.

    Args:
        handle: rclpy's side of it.
        on_end: Takes the goal, its result and its error; called in any thread.

    Attributes:
        id: Its name everywhere.
        accepted: When it came, s on the steady clock.
        request: Message of the action's Goal type.
        cancel: Set, in the executor's thread, when somebody asks for its end.
    """

    def __init__(
        self, handle: ServerGoalHandle[Any, Any, Any], on_end: Callable[[Goal, Any, AgentError | None], None]
    ) -> None:
        self.id: uuid.UUID = uuid_from_message(handle.goal_id)
        self.accepted = time.monotonic()
        self.request: Any = handle.request
        self.cancel = CancelToken()
        self._handle = handle
        self._on_end = on_end

    def report(self, feedback: Any) -> None:
        """Sends a Feedback message, from any thread."""
        self._handle.publish_feedback(feedback)

    def end(self, result: Any, error: AgentError | None = None) -> None:
        """Ends the goal, from any thread; to be called once.

        Args:
            result: Message of the action's Result type; its `error_code` and `error_msg` are filled in here.
            error: What went wrong, None if nothing did.
        """
        self._on_end(self, result, error)

    def finish(self, result: Any, error: AgentError | None) -> Any:
        """Gives the goal its last state. Returns the result."""
        if error is None:
            self._handle.succeed()
            return result
        result.error_code, result.error_msg = int(error.code), error.message
        if error.code is ErrorCode.CANCELED and self._handle.is_cancel_requested:
            self._handle.canceled()
        else:
            self._handle.abort()
        return result


class GoalServer(ActionServer[Any, Any, Any]):
    """Serves one action, one or many goals at a time.

    Every goal is accepted and a bad one ends at once in an error: a rejection could not say what was wrong.

    rclpy would have a goal worked on in a coroutine, which it calls again and again while that waits: one running goal
    keeps a core busy (ros2/rclpy#1405). Here nothing of rclpy's runs between a goal's begin and its end.

    Args:
        node: Node that serves it.
        action_type: For example `reachy_agent_msgs.action.Say`.
        name: Action name.
        begin: Starts the work on a goal, in the executor's thread, and sees that the goal's `end` is called. An
            `AgentError` of its own ends the goal with an empty result.
        result_kept: s that a result waits to be asked for.
    """

    def __init__(
        self, node: Node, action_type: type, name: str, begin: Callable[[Goal], None], result_kept: int = RESULT_KEPT
    ) -> None:
        self._begin = begin
        self._goals: dict[uuid.UUID, Goal] = {}
        super().__init__(
            node,
            action_type,
            name,
            _end_at_once,
            goal_callback=lambda _goal: GoalResponse.ACCEPT,
            cancel_callback=self._cancel,
            goal_service_qos_profile=CALLS,
            result_service_qos_profile=CALLS,
            cancel_service_qos_profile=CALLS,
            result_timeout=result_kept,
            callback_group=ReentrantCallbackGroup(),
        )

    @property
    def running(self) -> int:
        """Goals that have begun and not ended."""
        return len(self._goals)

    def notify_execute(self, goal_handle: ServerGoalHandle[Any, Any, Any], _execute_callback: Any) -> None:
        """Begins a goal where rclpy would call its execute callback."""
        goal = Goal(goal_handle, lambda goal, result, error: self._end(goal_handle, goal, result, error))
        self._goals[goal.id] = goal
        try:
            self._begin(goal)
        except AgentError as error:
            goal.end(self.action_type.Result(), error)

    def _end(self, handle: ServerGoalHandle[Any, Any, Any], goal: Goal, result: Any, error: AgentError | None) -> None:
        def finish(_handle: ServerGoalHandle[Any, Any, Any]) -> Any:
            del self._goals[goal.id]
            return goal.finish(result, error)

        super().notify_execute(handle, finish)

    def _cancel(self, handle: ServerGoalHandle[Any, Any, Any]) -> CancelResponse:
        goal = self._goals.get(uuid_from_message(handle.goal_id))
        if goal is not None:
            goal.cancel.cancel()
        return CancelResponse.ACCEPT


def _end_at_once(_handle: ServerGoalHandle[Any, Any, Any]) -> Any:
    raise AssertionError("GoalServer replaces what would call this")
