"""Input topics of the motion controller: targets, offsets, listening, teaching, and the state of the agent."""

from __future__ import annotations

import time
from dataclasses import fields, replace
from functools import partial

import numpy as np
from geometry_msgs.msg import PointStamped
from rclpy.subscription import Subscription
from reachy_agent_msgs.msg import AgentState, Attention, Job, JobList, MotionOffset, MotionTarget
from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.drowsiness import Alertness, Liveliness
from reachy_agent_ros.motion.loop import MotionLoop
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.robot.protocol import Leadable, Robot
from reachy_agent_ros.ros.hardware_bridge.bridge_messages import target_of
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, SENSOR

_PERIOD = 1.5
"""Period at which the agent's heartbeat and the robot's alertness are checked, s."""

_THINKING = (AgentState.PROCESSING, AgentState.WAITING_FOR_APPROVAL)

_ATTENTIVE = (Attention.NAME, Attention.BUTTON, Attention.DIALOGUE)
"""Reasons for attention that show that somebody uses the robot. `ALWAYS` is a setting and does not show it."""


class MotionInputs:
    """Passes messages to the motion controller, whose errors the node publishes on `motion_reports`.

    Layers, the pace, breathing and the idle life can be changed at run time:
    `ros2 param set /reachy_mini/hardware_bridge speech_layer false`.

    Args:
        node: Node that subscribes.
        controller: Motion controller.
        loop: Motion loop, whose thread owns the robot.
        robot: Robot to move. Teaching requires a `Leadable` robot.
    """

    def __init__(self, node: AgentNode, controller: MotionController, loop: MotionLoop, robot: Robot) -> None:
        self._controller = controller
        self._loop = loop
        self._robot = robot
        for source in OffsetSource:
            node.follow(f"{source.name.lower()}_layer", partial(controller.switch_layer, source))
        node.follow("pace", lambda pace: controller.change_pace(pace, time.monotonic()))
        self._breath = Breath()
        for part in fields(Breath):
            node.follow(f"breathing_{part.name}", partial(self._breathe, part.name))
        self._points = _PointsOfInterest(node, controller)
        self._liveliness = Liveliness()
        for part in fields(Liveliness):
            node.follow(f"idle_{part.name}", partial(self._enliven, part.name))
        node.create_subscription(MotionTarget, names.MOTION_TARGET, self._take_target, SENSOR)
        node.create_subscription(MotionOffset, names.MOTION_OFFSET, self._take_offset, SENSOR)
        node.create_subscription(Bool, names.LISTENING, self._take_listening, SENSOR)
        node.create_subscription(MotionTarget, names.TEACH_TARGET, self._take_lesson, SENSOR)
        self._agent = _AgentWatch(node, controller)

    def _take_target(self, message: MotionTarget) -> None:
        self._controller.stream(target_of(message), message.commander, time.monotonic())

    def _take_offset(self, message: MotionOffset) -> None:
        shift, turn = message.translation, message.rotation
        offset = Offset(
            np.array([shift.x, shift.y, shift.z]),
            np.array([turn.x, turn.y, turn.z]),
            message.antenna_right,
            message.antenna_left,
        )
        self._controller.offset(message.source, offset, time.monotonic(), message.last_stop)

    def _take_listening(self, message: Bool) -> None:
        self._controller.listen(message.data, time.monotonic())

    def _take_lesson(self, message: MotionTarget) -> None:
        if not isinstance(self._robot, Leadable):
            self._controller.refuse_lesson(message.commander)
            return
        robot, pose = self._robot, self._controller.teach(target_of(message), message.commander)
        if pose is not None:
            self._loop.submit(lambda _robot: robot.lead(pose))

    def _breathe(self, part: str, value: float) -> None:
        self._breath = replace(self._breath, **{part: value})
        self._controller.breathe(self._breath)

    def _enliven(self, part: str, value: float) -> None:
        self._liveliness = replace(self._liveliness, **{part: value})
        self._controller.enliven(self._liveliness)
        self._points.enable(self._liveliness.intensity > 0.0)


class _PointsOfInterest:
    """Subscribes to points of interest while the robot may glance at them, because other nodes look for them only then.

    Args:
        node: Node that subscribes.
        controller: Receives the points, except while the robot sleeps.
    """

    def __init__(self, node: AgentNode, controller: MotionController) -> None:
        self._node = node
        self._controller = controller
        self._enabled = False
        self._subscription: Subscription[PointStamped] | None = None
        node.every(_PERIOD, self._update)

    def enable(self, enabled: bool) -> None:
        """Sets whether the idle life is enabled."""
        self._enabled = enabled
        self._update()

    def _update(self) -> None:
        wanted = self._enabled and self._controller.alertness is not Alertness.ASLEEP
        if wanted and self._subscription is None:
            topic = names.POINT_OF_INTEREST
            self._subscription = self._node.create_subscription(PointStamped, topic, self._take, SENSOR)
        elif not wanted and self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    def _take(self, message: PointStamped) -> None:
        point = np.array([message.point.x, message.point.y, message.point.z])
        self._controller.notice(point, message.header.frame_id, time.monotonic())


class _AgentWatch:
    """Passes on whether the agent thinks, and whether somebody needs the robot.

    Somebody needs it while the agent is attentive or does something in the background: a robot that watches the table
    must not sleep or glance away. If the agent has died, neither is the case, even if its latched messages remain.

    Args:
        node: Node that subscribes. Its executor runs the callbacks.
        controller: Receives both.
    """

    def __init__(self, node: AgentNode, controller: MotionController) -> None:
        self._controller = controller
        self._attentive = self._working = False
        self._agent = HeartbeatMonitor(node, names.AGENT)
        node.create_subscription(AgentState, names.AGENT_STATE, self._take_state, LATCHED)
        node.create_subscription(Attention, names.ATTENTION, self._take_attention, LATCHED)
        node.create_subscription(JobList, names.JOBS, self._take_jobs, LATCHED)
        node.every(_PERIOD, self._check_heartbeat)

    def _take_state(self, message: AgentState) -> None:
        self._controller.think(message.state in _THINKING)

    def _take_attention(self, message: Attention) -> None:
        self._attentive = message.opened_by in _ATTENTIVE
        self._update()

    def _take_jobs(self, message: JobList) -> None:
        self._working = any(job.state == Job.RUNNING for job in message.jobs)
        self._update()

    def _update(self) -> None:
        self._controller.attend(self._attentive or self._working)

    def _check_heartbeat(self) -> None:
        if not self._agent.alive:
            self._controller.think(False)
            self._attentive = self._working = False
            self._update()
