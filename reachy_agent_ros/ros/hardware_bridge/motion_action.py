"""Action `execute_motion`. Each goal is one primary motion, which starts immediately or is queued."""

from __future__ import annotations

import re
import time
import uuid
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from reachy_agent_msgs.action import ExecuteMotion

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import angle_between
from reachy_agent_ros.motion.continuation import Continuation
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.request import Gaze, Library, Named, prepare
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.ros.hardware_bridge.bridge_messages import target_of
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, fill_posture, pose_message, seconds_of
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor, heartbeat_topic
from reachy_agent_ros.ros.rclpy_ext.qos import HEARTBEAT_DEADLINE

FEEDBACK_PERIOD = 0.1
"""Period of feedback, s."""

_NODE_NAME = re.compile(r"/?[A-Za-z_]\w*(/[A-Za-z_]\w*)*", re.ASCII)

_CAPACITY = 8
"""Maximum number of queued motions. A motion that waits for minutes would no longer fit the situation."""


class MotionAction:
    """Action server of `execute_motion`.

    Args:
        node: Node that serves the action.
        controller: Motion controller that plays the motions.
        moves: Folder of the recorded moves.
    """

    def __init__(self, node: AgentNode, controller: MotionController, moves: Path) -> None:
        self._node = node
        self._controller = controller
        self._moves = moves
        self._library = ThreadPoolExecutor(1, "library")
        self._running: dict[uuid.UUID, tuple[Goal, Playback]] = {}
        self._begun: set[uuid.UUID] = set()
        self._dropped: dict[uuid.UUID, AgentError] = {}
        self._queue = _MotionQueue(self._start, self._end)
        self._commanders: dict[str, HeartbeatMonitor] = {}
        self._server = GoalServer(node, ExecuteMotion, names.EXECUTE_MOTION, self._begin)
        self._monitor(names.TOOL_SERVER)  # from the start, so that its first motion does not wait for discovery
        node.every(FEEDBACK_PERIOD, self._report_progress)

    @property
    def queued(self) -> int:
        """Number of queued motions."""
        return len(self._queue)

    def drop(self, error: AgentError) -> None:
        """Ends all motions that are queued or in preparation, after a hold, a stop, or a request to end the motion."""
        self._queue.clear(error)
        self._dropped = dict.fromkeys(self._begun - self._running.keys(), error)

    def _begin(self, goal: Goal) -> None:
        if goal.request.queued and self._begun:
            self._queue.add(goal)
            self._watch(goal.request.commander)
        else:
            self._start(goal)

    def _start(self, goal: Goal) -> None:
        self._begun.add(goal.id)
        try:
            wish = _wish(goal.request, self._moves)
        except AgentError as refusal:
            self._end(goal, refusal)
            return
        if isinstance(wish, Named):  # prepared in another thread, because it would block the executor
            prepared = self._library.submit(prepare, wish)
            prepared.add_done_callback(lambda done: self._node.in_executor(self._play_prepared, goal, wish, done))
        else:
            self._play(goal, wish)

    def _play_prepared(self, goal: Goal, wish: Named, prepared: Future[None]) -> None:
        error = self._dropped.pop(goal.id, None) or prepared.exception()
        if isinstance(error, AgentError):
            self._end(goal, error)
            return
        prepared.result()
        self._play(goal, wish)

    def _play(self, goal: Goal, wish: Target | Gaze | Named | Continuation) -> None:
        wanted = goal.request
        duration, allowance = seconds_of(wanted.duration), seconds_of(wanted.time_allowance)
        ended: Future[AgentError | None] = Future()
        try:
            playback, findings = self._controller.execute(wish, wanted.commander, ended.set_result, duration, allowance)
        except AgentError as refusal:
            self._end(goal, refusal)
            return
        clamped = tuple(finding.field for finding in findings)
        self._watch(wanted.commander)
        self._running[goal.id] = goal, playback
        goal.cancel.on_cancel(
            lambda: self._controller.cancel(playback, AgentError(ErrorCode.CANCELED, "The motion was canceled."))
        )
        ended.add_done_callback(lambda done: self._node.in_executor(self._finish, goal, done.result(), clamped))

    def _finish(self, goal: Goal, error: AgentError | None, clamped: tuple[str, ...]) -> None:
        """Ends a goal. Clears the queue after errors other than the goal's cancellation or a lost commander."""
        del self._running[goal.id]
        own = error is None or (error.code is ErrorCode.CANCELED and goal.cancel.cancelled)
        if error is not None and not own and error.code is not ErrorCode.COMMANDER_LOST:
            self._queue.clear(error)
        self._end(goal, error, clamped)

    def _end(self, goal: Goal, error: AgentError | None, clamped: tuple[str, ...] = ()) -> None:
        self._begun.discard(goal.id)
        result = ExecuteMotion.Result(clamped=clamped, elapsed=duration_message(time.monotonic() - goal.accepted))
        if self._controller.measurement is not None:
            fill_posture(result, self._controller.measurement.pose)
        goal.end(result, error)
        if not self._begun:
            self._queue.proceed()

    def _watch(self, commander: str) -> None:
        """Monitors the heartbeat of a commander, if the commander is a node that sends heartbeats."""
        if commander in self._commanders or not _NODE_NAME.fullmatch(commander):
            return
        if self._node.count_publishers(heartbeat_topic(commander)) == 0:
            return
        self._monitor(commander).expect()

    def _monitor(self, commander: str) -> HeartbeatMonitor:
        # A hanging commander cannot correct its motion, so the robot holds as soon as for a dead commander.
        patience = HEARTBEAT_DEADLINE
        watch = HeartbeatMonitor(self._node, commander, patience=patience, hang_patience=patience)
        watch.on_lost(lambda: self._lose(commander))
        self._commanders[commander] = watch
        return watch

    def _lose(self, commander: str) -> None:
        error = AgentError(
            ErrorCode.COMMANDER_LOST,
            f"{commander} sent no heartbeat for {HEARTBEAT_DEADLINE:g} s, so the robot holds its posture.",
        )
        self._queue.clear(error, commander)
        for _, playback in list(self._running.values()):
            if playback.commander == commander:
                self._controller.cancel(playback, error, holding=True)

    def _report_progress(self) -> None:
        measurement = self._controller.measurement
        for goal, playback in self._running.values():
            aim = playback.goal
            if measurement is None or aim is None:
                continue
            progress, remaining = playback.progress(time.monotonic())
            goal.report(
                ExecuteMotion.Feedback(
                    progress=progress,
                    head_pose=pose_message(measurement.pose.head),
                    angle_remaining=angle_between(measurement.pose.head, aim.head),
                    time_remaining=duration_message(remaining),
                )
            )


def _wish(goal: ExecuteMotion.Goal, moves: Path) -> Target | Gaze | Named | Continuation:
    if goal.kind == ExecuteMotion.Goal.POSE:
        return target_of(goal)
    if goal.kind == ExecuteMotion.Goal.LOOK_AT:
        point = goal.point.point
        return Gaze(np.array([point.x, point.y, point.z]), goal.point.header.frame_id)
    if goal.kind == ExecuteMotion.Goal.CONTINUE:
        return Continuation()
    if goal.kind in list(Library):
        return Named(Library(goal.kind), goal.name, goal.amplitude or 1.0, moves, goal.tempo or 1.0)
    raise AgentError(ErrorCode.INVALID_GOAL, f"Unknown motion kind {goal.kind}.")


class _MotionQueue:
    """Queue of motions, first in, first out. Use only in the executor's thread.

    Args:
        start: Begins the motion of a goal.
        refuse: Ends a goal that has not begun.
    """

    def __init__(self, start: Callable[[Goal], None], refuse: Callable[[Goal, AgentError], None]) -> None:
        self._start = start
        self._refuse = refuse
        self._waiting: deque[Goal] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, goal: Goal) -> None:
        """Queues a goal until the goal is started or cancelled.

        Raises:
            AgentError: `COMMANDER_BUSY` if the queue is full.
        """
        if len(self._waiting) >= _CAPACITY:
            message = f"The queue is full ({_CAPACITY} motions). Try again when a motion has ended."
            raise AgentError(ErrorCode.COMMANDER_BUSY, message)
        self._waiting.append(goal)
        goal.cancel.on_cancel(
            lambda: self._withdraw(goal, AgentError(ErrorCode.CANCELED, "The motion was canceled before it began."))
        )

    def proceed(self) -> None:
        """Starts the next queued motion, if the queue is not empty."""
        if self._waiting:
            self._start(self._waiting.popleft())

    def clear(self, error: AgentError, commander: str | None = None) -> None:
        """Ends all queued motions, or only the motions of one commander."""
        for goal in list(self._waiting):
            if commander in (None, goal.request.commander):
                self._withdraw(goal, error)

    def _withdraw(self, goal: Goal, error: AgentError) -> None:
        if goal in self._waiting:
            self._waiting.remove(goal)
            self._refuse(goal, error)
