"""The action `converse`: one goal, one turn."""

from __future__ import annotations

import concurrent.futures
import logging
import uuid
from collections.abc import Callable
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node
from rclpy.task import Future
from reachy_agent_msgs.action import Converse

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.events import Event
from reachy_agent_ros.mind.turn import TurnRequest, TurnResult
from reachy_agent_ros.nodes.convert import uuid_from_message
from reachy_agent_ros.nodes.qos import CALLS
from reachy_agent_ros.nodes.turn_messages import feedback_message, request_from_goal, result_message

_log = logging.getLogger(__name__)

TakeTurn = Callable[[TurnRequest, Callable[[Event], None], CancelToken], "concurrent.futures.Future[TurnResult]"]
"""Starts a turn; its events go to the second argument, in another thread."""


class ConverseServer:
    """Serves `converse`. Every goal is accepted, and a bad one ends at once with an error that says what is wrong.

    Args:
        node: Node that serves it.
        take_turn: Starts a turn.
    """

    def __init__(self, node: Node, take_turn: TakeTurn) -> None:
        self._node = node
        self._take_turn = take_turn
        self._tokens: dict[uuid.UUID, CancelToken] = {}
        self._server = ActionServer(
            node,
            Converse,
            names.CONVERSE,
            self._execute,
            goal_callback=lambda _goal: GoalResponse.ACCEPT,
            cancel_callback=self._cancel,
            goal_service_qos_profile=CALLS,
            result_service_qos_profile=CALLS,
            callback_group=ReentrantCallbackGroup(),
        )

    async def _execute(self, handle: ServerGoalHandle[Any, Any, Any]) -> Any:
        turn_id = uuid_from_message(handle.goal_id)
        request = request_from_goal(handle.request, turn_id)
        token = self._tokens.setdefault(turn_id, CancelToken())
        if handle.is_cancel_requested:
            token.cancel()
        done: Future[Any] = Future(executor=self._node.executor)
        turn = self._take_turn(request, lambda event: self._tell(handle, event), token)
        turn.add_done_callback(lambda ended: done.set_result(outcome_of(ended)))
        result: Any = await done
        del self._tokens[turn_id]
        self._finish(handle, result)
        return result_message(request, result)

    def _finish(self, handle: ServerGoalHandle[Any, Any, Any], result: TurnResult) -> None:
        if result.error is None:
            handle.succeed()
        elif result.error.code is ErrorCode.CANCELED and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()

    def _cancel(self, handle: ServerGoalHandle[Any, Any, Any]) -> CancelResponse:
        token = self._tokens.get(uuid_from_message(handle.goal_id))
        if token is not None:
            token.cancel()
        return CancelResponse.ACCEPT

    def _tell(self, handle: ServerGoalHandle[Any, Any, Any], event: Event) -> None:
        feedback = feedback_message(event)
        if feedback is not None:
            handle.publish_feedback(feedback)


def outcome_of(ended: concurrent.futures.Future[TurnResult]) -> TurnResult:
    """A turn always returns; what is caught here is the end of the node, or a fault of ours that nobody may wait on."""
    if ended.cancelled():
        return TurnResult(error=AgentError(ErrorCode.SHUTTING_DOWN, "The agent is shutting down."))
    fault = ended.exception()
    if fault is None:
        return ended.result()
    _log.error("A turn failed", exc_info=fault)
    return TurnResult(error=AgentError(ErrorCode.INTERNAL, f"The turn failed: {fault!r}"))
