"""Action server whose goals run in other threads, and end when the threads report results."""

from __future__ import annotations

import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from typing import Any

from action_msgs.msg import GoalInfo, GoalStatus
from action_msgs.srv import CancelGoal
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from unique_identifier_msgs.msg import UUID

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, uuid_from_message, wall_stamp
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, LATCHED, STANDARD
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService

RESULT_KEPT = 10.0
"""Time for which the result of a goal is kept, s."""

LOOK_PERIOD = 0.5
"""Period at which new subscribers to the status are detected, s."""

_SHOWN = 10
"""Number of ended goals in the status. rcl publishes all of them with every change of any goal. At a hundred goals a
second, reading them takes every subscriber longer than the work itself."""

Report = Callable[[UUID, Any], None]
"""Function that sends the feedback of a goal, from any thread."""

End = Callable[["Goal", Any, AgentError | None], None]
"""Function that receives a goal, its result and its error, in any thread."""


class GoalServer:
    """Action server that runs any number of concurrent goals.

    Every new goal is accepted, and an invalid goal ends at once with an error, because a rejection cannot state its
    reason.

    The server consists of the three services and two topics of an action (design.ros2.org, "Actions"). rclpy's own
    server runs a goal in a coroutine, which it polls while the coroutine waits: one running goal keeps a core busy
    (ros2/rclpy#1405). It also formats the id of each goal for debug messages that are not logged, which takes a quarter
    of the time of a short call (rclpy 9.1.2).

    Args:
        node: Node that serves the action.
        action_type: Action type, for example `reachy_agent_msgs.action.Say`.
        name: Action name.
        begin: Starts the work on a goal, and ensures that the goal's `end` is called. Runs in the executor's thread. If
            it raises `AgentError`, the goal ends with that error and an empty result.
    """

    def __init__(self, node: Node, action_type: type, name: str, begin: Callable[[Goal], None]) -> None:
        self._parts = parts = action_type.Impl  # type: ignore[attr-defined] # rclpy types no parts of an action
        self._result_type = action_type.Result  # type: ignore[attr-defined]
        self._begin = begin
        self._lock = threading.Lock()
        self._running: dict[uuid.UUID, Goal] = {}
        self._ended: OrderedDict[uuid.UUID, _Ended] = OrderedDict()
        self._feedback = node.create_publisher(parts.FeedbackMessage, f"{name}/_action/feedback", STANDARD)
        self._status = node.create_publisher(parts.GoalStatusMessage, f"{name}/_action/status", LATCHED)
        self._status_pending = True
        self._poll = node.create_timer(LOOK_PERIOD, self._publish_late, clock=Clock(clock_type=ClockType.STEADY_TIME))
        SlowService(node, parts.GetResultService, f"{name}/_action/get_result", self._await)
        node.create_service(parts.CancelGoalService, f"{name}/_action/cancel_goal", self._cancel, qos_profile=CALLS)
        node.create_service(parts.SendGoalService, f"{name}/_action/send_goal", self._accept, qos_profile=CALLS)

    @property
    def running(self) -> int:
        """Number of goals that have begun and have not ended."""
        return len(self._running)

    def _accept(self, request: Any, response: Any) -> Any:
        goal = Goal(request.goal_id, request.goal, self._report, self._end)
        with self._lock:
            if goal.id in self._running or goal.id in self._ended:
                return response  # rejected: this ID has been used
            self._running[goal.id] = goal
            self._publish_status()
        response.accepted, response.stamp = True, goal.status.goal_info.stamp
        try:
            self._begin(goal)
        except AgentError as error:
            goal.end(self._result_type(), error)
        return response

    def _report(self, name: UUID, feedback: Any) -> None:
        self._feedback.publish(self._parts.FeedbackMessage(goal_id=name, feedback=feedback))

    def _end(self, goal: Goal, result: Any, error: AgentError | None) -> None:
        if error is not None:
            result.error_code, result.error_msg = int(error.code), error.message
        with self._lock:
            goal.status.status = _last_status(goal, error)
            del self._running[goal.id]
            self._ended[goal.id] = _Ended(goal.status, goal.answer, Deadline(RESULT_KEPT))
            self._drop_expired()
            self._publish_status()
        goal.answer.set_result(self._parts.GetResultService.Response(status=goal.status.status, result=result))

    def _await(self, request: Any) -> Future[Any]:
        name = uuid_from_message(request.goal_id)
        with self._lock:
            self._drop_expired()
            goal: Goal | _Ended | None = self._running.get(name) or self._ended.get(name)
        if goal is not None:
            return goal.answer
        unknown: Future[Any] = Future()
        unknown.set_result(self._parts.GetResultService.Response(status=GoalStatus.STATUS_UNKNOWN))
        return unknown

    def _cancel(self, request: Any, response: Any) -> Any:
        with self._lock:
            goals = [goal for goal in self._running.values() if _is_meant(goal, request.goal_info)]
            for goal in goals:
                goal.status.status = GoalStatus.STATUS_CANCELING
            if goals:
                self._publish_status()
            else:
                response.return_code = self._refusal(request.goal_info)
        response.goals_canceling = [goal.status.goal_info for goal in goals]
        for goal in goals:
            goal.cancel.cancel()
        return response

    def _refusal(self, meant: GoalInfo) -> int:
        """Returns the error code for a cancel request that matches no goal. "Cancel all goals" is not an error."""
        name = uuid_from_message(meant.goal_id)
        if name in self._ended:
            return int(CancelGoal.Response.ERROR_GOAL_TERMINATED)
        return int(CancelGoal.Response.ERROR_UNKNOWN_GOAL_ID if name.int else CancelGoal.Response.ERROR_NONE)

    def _drop_expired(self) -> None:
        """Deletes expired results."""
        while self._ended and next(iter(self._ended.values())).kept.passed:
            self._ended.popitem(last=False)

    def _publish_late(self) -> None:
        """Publishes the status if it was not published before, because there were no subscribers."""
        with self._lock:
            if self._status_pending:
                self._publish_status()

    def _publish_status(self) -> None:
        """Publishes the status, or marks it as pending if there is no subscriber."""
        self._status_pending = not self._status.get_subscription_count()
        if self._status_pending:
            return
        ended = islice(reversed(self._ended.values()), _SHOWN)
        statuses = [*(goal.status for goal in ended), *(goal.status for goal in self._running.values())]
        self._status.publish(self._parts.GoalStatusMessage(status_list=statuses))


class Goal:
    """Accepted goal of an action.

    Args:
        name: Id of the goal.
        request: Message of the action's Goal type.
        report: Sends feedback.
        on_end: Ends the goal. Called once.

    Attributes:
        id: Id of the goal.
        accepted: Time of acceptance, s on the steady clock.
        request: Message of the action's Goal type.
        cancel: Token that is cancelled, in the executor's thread, if a client cancels the goal.
        status: Status that the server publishes.
        answer: Response of `get_result`, available when the goal has ended.
    """

    def __init__(self, name: UUID, request: Any, report: Report, on_end: End) -> None:
        self.id: uuid.UUID = uuid_from_message(name)
        self.accepted = time.monotonic()
        self.request: Any = request
        self.cancel = CancelToken()
        self.status = GoalStatus(
            goal_info=GoalInfo(goal_id=name, stamp=wall_stamp()), status=GoalStatus.STATUS_EXECUTING
        )
        self.answer: Future[Any] = Future()
        self._report = report
        self._on_end = on_end

    def report(self, feedback: Any) -> None:
        """Sends a Feedback message. Thread-safe."""
        self._report(self.status.goal_info.goal_id, feedback)

    def end(self, result: Any, error: AgentError | None = None) -> None:
        """Ends the goal. Call this only once. Thread-safe.

        Args:
            result: Message of the action's Result type. Its `error_code` and `error_msg` are set from `error`.
            error: Reason for the failure; None for success.
        """
        self.cancel.forget()
        self._on_end(self, result, error)


@dataclass(frozen=True)
class _Ended:
    """Status and result of a goal that has ended. The request and the callbacks are not kept."""

    status: GoalStatus
    answer: Future[Any]
    kept: Deadline


def _is_meant(goal: Goal, meant: GoalInfo) -> bool:
    """Returns whether a cancel request selects a goal by id, by time of acceptance, or because it selects all goals."""
    name, before = uuid_from_message(meant.goal_id), seconds_of(meant.stamp)
    if not name.int and not before:
        return True
    return goal.id == name or seconds_of(goal.status.goal_info.stamp) <= before


def _last_status(goal: Goal, error: AgentError | None) -> int:
    if error is None:
        return int(GoalStatus.STATUS_SUCCEEDED)
    asked = goal.status.status == GoalStatus.STATUS_CANCELING
    return int(GoalStatus.STATUS_CANCELED if asked and error.code is ErrorCode.CANCELED else GoalStatus.STATUS_ABORTED)
