"""The action `execute_motion`: one goal is one primary motion."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.task import Future
from reachy_agent_msgs.action import ExecuteMotion

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import angle_between
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.request import Gaze, Library, Named, prepare
from reachy_agent_ros.nodes.base import AgentNode
from reachy_agent_ros.nodes.bridge_messages import fill_measured, target_of
from reachy_agent_ros.nodes.convert import duration_message, pose_message, seconds_of
from reachy_agent_ros.nodes.heartbeat import HeartbeatWatch, heartbeat_topic
from reachy_agent_ros.nodes.qos import CALLS, HEARTBEAT_DEADLINE
from reachy_agent_ros.robot.admission import Target

FEEDBACK_PERIOD = 0.1
"""s."""

_NODE_NAME = re.compile(r"/?[A-Za-z_]\w*(/[A-Za-z_]\w*)*", re.ASCII)


@dataclass
class _Running:
    """A goal that is being played."""

    handle: ServerGoalHandle[Any, Any, Any]
    playback: Playback


class MotionAction:
    """Serves the action.

    Every goal is accepted, and one that cannot be done ends at once in an error: a rejection could not say why.

    Args:
        node: Node that serves it.
        controller: Plays the motions.
        moves: Folder of the recorded moves.
    """

    def __init__(self, node: AgentNode, controller: MotionController, moves: Path) -> None:
        self._node = node
        self._controller = controller
        self._moves = moves
        self._library = ThreadPoolExecutor(1, "library")
        self._running: dict[bytes, _Running] = {}
        self._commanders: dict[str, HeartbeatWatch] = {}
        self._server = ActionServer(
            node,
            ExecuteMotion,
            names.EXECUTE_MOTION,
            self._execute,
            goal_callback=lambda _goal: GoalResponse.ACCEPT,
            cancel_callback=self._cancel,
            result_timeout=10,
            goal_service_qos_profile=CALLS,
            result_service_qos_profile=CALLS,
            cancel_service_qos_profile=CALLS,
            callback_group=ReentrantCallbackGroup(),
        )
        self._listen(names.TOOL_SERVER, expected=False)  # from the start: its first motion must not wait for discovery
        node.every(FEEDBACK_PERIOD, self._report_progress)

    async def _execute(self, handle: ServerGoalHandle[Any, Any, Any]) -> ExecuteMotion.Result:
        accepted = time.monotonic()
        goal = handle.request
        ended: Future[AgentError | None] = Future(executor=self._node.executor)
        clamped: list[str] = []
        try:
            wish = _wish(goal, self._moves)
            await self._prepare(wish)
            duration, allowance = seconds_of(goal.duration), seconds_of(goal.time_allowance)
            playback, findings = self._controller.execute(wish, goal.commander, ended.set_result, duration, allowance)
        except AgentError as refusal:
            return self._finish(handle, refusal, clamped, accepted)
        clamped = [finding.field for finding in findings]
        self._watch(goal.commander)
        key = bytes(handle.goal_id.uuid)
        self._running[key] = _Running(handle, playback)
        if handle.is_cancel_requested:
            self._cancel(handle)
        error: AgentError | None = await ended
        del self._running[key]
        return self._finish(handle, error, clamped, accepted)

    async def _prepare(self, wish: Target | Gaze | Named) -> None:
        """Has a named move prepared beside the executor, which would miss its heartbeats over it."""
        if not isinstance(wish, Named):
            return
        prepared: Future[BaseException | None] = Future(executor=self._node.executor)
        errand = self._library.submit(prepare, wish)
        errand.add_done_callback(lambda finished: prepared.set_result(finished.exception()))
        error = await prepared
        if error is not None:
            raise error

    def _finish(
        self, handle: ServerGoalHandle[Any, Any, Any], error: AgentError | None, clamped: list[str], accepted: float
    ) -> ExecuteMotion.Result:
        result = ExecuteMotion.Result(clamped=clamped, elapsed=duration_message(time.monotonic() - accepted))
        if self._controller.measurement is not None:
            fill_measured(result, self._controller.measurement.pose)
        if error is None:
            handle.succeed()
            return result
        result.error_code = int(error.code)
        result.error_msg = error.message
        if error.code is ErrorCode.CANCELED and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        return result

    def _cancel(self, handle: ServerGoalHandle[Any, Any, Any]) -> CancelResponse:
        running = self._running.get(bytes(handle.goal_id.uuid))
        if running is not None:
            self._controller.cancel(running.playback, AgentError(ErrorCode.CANCELED, "the motion was cancelled"))
        return CancelResponse.ACCEPT

    def _watch(self, commander: str) -> None:
        """Listens to the commander's heartbeat, if it is a node that sends one."""
        if commander in self._commanders or not _NODE_NAME.fullmatch(commander):
            return
        if self._node.count_publishers(heartbeat_topic(commander)) == 0:
            return
        self._listen(commander, expected=True)

    def _listen(self, commander: str, *, expected: bool) -> None:
        watch = HeartbeatWatch(self._node, commander, patience=HEARTBEAT_DEADLINE, expected=expected)
        watch.on_lost(lambda: self._lose(commander))
        self._commanders[commander] = watch

    def _lose(self, commander: str) -> None:
        error = AgentError(ErrorCode.COMMANDER_LOST, f"{commander} died, the robot holds")
        for running in list(self._running.values()):
            if running.playback.commander == commander:
                self._controller.cancel(running.playback, error, holding=True)

    def _report_progress(self) -> None:
        measurement = self._controller.measurement
        for running in self._running.values():
            goal = running.playback.goal
            if measurement is None or goal is None:
                continue
            progress, remaining = running.playback.progress(time.monotonic())
            running.handle.publish_feedback(
                ExecuteMotion.Feedback(
                    progress=progress,
                    head_pose=pose_message(measurement.pose.head),
                    angle_remaining=angle_between(measurement.pose.head, goal.head),
                    time_remaining=duration_message(remaining),
                )
            )


def _wish(goal: ExecuteMotion.Goal, moves: Path) -> Target | Gaze | Named:
    if goal.kind == ExecuteMotion.Goal.POSE:
        return target_of(goal)
    if goal.kind == ExecuteMotion.Goal.LOOK_AT:
        point = goal.point.point
        return Gaze(np.array([point.x, point.y, point.z]), goal.point.header.frame_id)
    if goal.kind in list(Library):
        return Named(Library(goal.kind), goal.name, goal.amplitude or 1.0, moves)
    raise AgentError(ErrorCode.INVALID_GOAL, f"there is no kind {goal.kind} of motion")
