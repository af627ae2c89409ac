"""An action server whose goals are worked on elsewhere, and end when that work says so."""

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
"""s that a result waits to be asked for."""

LOOK_PERIOD = 0.5
"""s between two looks at whether somebody has come to listen to the status."""

_SHOWN = 10
"""Goals that the status tells of after their end. All of them, as rcl does it, would be read by everybody who listens
with every change of any goal: when a hundred come in a second, for longer than their work takes."""

Report = Callable[[UUID, Any], None]
"""Sends a goal's feedback, from any thread."""

End = Callable[["Goal", Any, AgentError | None], None]
"""Takes a goal, its result and its error, in any thread."""


class GoalServer:
    """Serves one action, one or many goals at a time.

    Every goal is accepted and a bad one ends at once in an error: a rejection could not say what was wrong.

    It consists of the three services and the two topics that an action is (design.ros2.org, "Actions"). rclpy's own
    server would have a goal worked on in a coroutine, which it calls again and again while that waits: one running goal
    keeps a core busy (ros2/rclpy#1405). It also writes each goal's name out for lines that nobody logs, which takes a
    quarter of the time of a short call (9.1.2).

    Args:
        node: Node that serves it.
        action_type: For example `reachy_agent_msgs.action.Say`.
        name: Action name.
        begin: Starts the work on a goal, in the executor's thread, and sees that the goal's `end` is called. An
            `AgentError` of its own ends the goal with an empty result.
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
        self._untold = True
        self._look = node.create_timer(LOOK_PERIOD, self._tell, clock=Clock(clock_type=ClockType.STEADY_TIME))
        SlowService(node, parts.GetResultService, f"{name}/_action/get_result", self._await)
        node.create_service(parts.CancelGoalService, f"{name}/_action/cancel_goal", self._cancel, qos_profile=CALLS)
        node.create_service(parts.SendGoalService, f"{name}/_action/send_goal", self._accept, qos_profile=CALLS)

    @property
    def running(self) -> int:
        """Goals that have begun and not ended."""
        return len(self._running)

    def _accept(self, request: Any, response: Any) -> Any:
        goal = Goal(request.goal_id, request.goal, self._report, self._end)
        with self._lock:
            if goal.id in self._running or goal.id in self._ended:
                return response  # not accepted: it has been
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
            self._forget()
            self._publish_status()
        goal.answer.set_result(self._parts.GetResultService.Response(status=goal.status.status, result=result))

    def _await(self, request: Any) -> Future[Any]:
        name = uuid_from_message(request.goal_id)
        with self._lock:
            self._forget()
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
        """Why nothing is cancelled; to ask for the end of all is never wrong."""
        name = uuid_from_message(meant.goal_id)
        if name in self._ended:
            return int(CancelGoal.Response.ERROR_GOAL_TERMINATED)
        return int(CancelGoal.Response.ERROR_UNKNOWN_GOAL_ID if name.int else CancelGoal.Response.ERROR_NONE)

    def _forget(self) -> None:
        """Drops results that nobody came for."""
        while self._ended and next(iter(self._ended.values())).kept.passed:
            self._ended.popitem(last=False)

    def _tell(self) -> None:
        """Tells who has come to listen how things stand."""
        with self._lock:
            if self._untold:
                self._publish_status()

    def _publish_status(self) -> None:
        """While nobody listens, the time to tell it is saved."""
        self._untold = not self._status.get_subscription_count()
        if self._untold:
            return
        ended = islice(reversed(self._ended.values()), _SHOWN)
        statuses = [*(goal.status for goal in ended), *(goal.status for goal in self._running.values())]
        self._status.publish(self._parts.GoalStatusMessage(status_list=statuses))


class Goal:
    """One accepted goal.

    Args:
        name: Message of its name.
        request: Message of the action's Goal type.
        report: Sends its feedback.
        on_end: Called once.

    Attributes:
        id: Its name everywhere.
        accepted: When it came, s on the steady clock.
        request: As it was given.
        cancel: Set, in the executor's thread, when somebody asks for its end.
        status: What its server tells of it.
        answer: What `get_result` is answered, when it has ended.
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
        """Sends a Feedback message, from any thread."""
        self._report(self.status.goal_info.goal_id, feedback)

    def end(self, result: Any, error: AgentError | None = None) -> None:
        """Ends the goal, from any thread; to be called once.

        Args:
            result: Message of the action's Result type; its `error_code` and `error_msg` are filled in on the way.
            error: What went wrong, None if nothing did.
        """
        self.cancel.forget()
        self._on_end(self, result, error)


@dataclass(frozen=True)
class _Ended:
    """What is left of a goal: not what it was asked for, nor who worked on it."""

    status: GoalStatus
    answer: Future[Any]
    kept: Deadline


def _is_meant(goal: Goal, meant: GoalInfo) -> bool:
    """Whether a request to cancel means this goal: by its name, by when it came, or as one of all."""
    name, before = uuid_from_message(meant.goal_id), seconds_of(meant.stamp)
    if not name.int and not before:
        return True
    return goal.id == name or seconds_of(goal.status.goal_info.stamp) <= before


def _last_status(goal: Goal, error: AgentError | None) -> int:
    if error is None:
        return int(GoalStatus.STATUS_SUCCEEDED)
    asked = goal.status.status == GoalStatus.STATUS_CANCELING
    return int(GoalStatus.STATUS_CANCELED if asked and error.code is ErrorCode.CANCELED else GoalStatus.STATUS_ABORTED)
