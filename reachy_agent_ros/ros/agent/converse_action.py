"""The action `converse`: one goal, one turn."""

from __future__ import annotations

import concurrent.futures
import logging
from collections.abc import Callable

from rclpy.node import Node
from reachy_agent_msgs.action import Converse

from reachy_agent_ros.agent.conversation.events import Event
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.agent.caller_watch import CallerWatch
from reachy_agent_ros.ros.agent.turn_messages import feedback_message, request_from_goal, result_message
from reachy_agent_ros.ros.rclpy_ext.goal import Goal
from reachy_agent_ros.ros.rclpy_ext.goal_server import GoalServer

_log = logging.getLogger(__name__)

TakeTurn = Callable[[TurnRequest, Callable[[Event], None], CancelToken], "concurrent.futures.Future[TurnResult]"]
"""Starts a turn; its events go to the second argument, in another thread."""


class ConverseServer:
    """Serves `converse`.

    Args:
        node: Node that serves it.
        take_turn: Starts a turn.
        callers: Ends the turns of callers that are gone.
    """

    def __init__(self, node: Node, take_turn: TakeTurn, callers: CallerWatch) -> None:
        self._take_turn = take_turn
        self._callers = callers
        self._server = GoalServer(node, Converse, names.CONVERSE, self._begin)

    def _begin(self, goal: Goal) -> None:
        request = request_from_goal(goal.request, goal.id)
        self._callers.add(goal)
        turn = self._take_turn(request, lambda event: _tell(goal, event), goal.cancel)
        turn.add_done_callback(lambda ended: self._end(goal, request, outcome_of(ended)))

    def _end(self, goal: Goal, request: TurnRequest, result: TurnResult) -> None:
        self._callers.discard(goal)
        goal.end(result_message(request, result), result.error)


def _tell(goal: Goal, event: Event) -> None:
    feedback = feedback_message(event)
    if feedback is not None:
        goal.report(feedback)


def outcome_of(ended: concurrent.futures.Future[TurnResult]) -> TurnResult:
    """A turn always returns; what is caught here is the end of the node, or a fault of ours that nobody may wait on."""
    if ended.cancelled():
        return TurnResult(error=AgentError(ErrorCode.SHUTTING_DOWN, "The agent is shutting down."))
    fault = ended.exception()
    if fault is None:
        return ended.result()
    _log.error("A turn failed", exc_info=fault)
    return TurnResult(error=AgentError(ErrorCode.INTERNAL, f"The turn failed: {fault!r}"))
