"""Input topics of the motion controller: targets, offsets, listening, teaching and the agent's state."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial

import numpy as np
from reachy_agent_msgs.msg import AgentState, MotionOffset, MotionTarget
from std_msgs.msg import Bool

from reachy_agent_ros.core import names
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.loop import MotionLoop
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.robot.protocol import Leadable, Robot
from reachy_agent_ros.ros.hardware_bridge.bridge_messages import target_of
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, SENSOR

_PERIOD = 1.5
"""Period at which the agent's heartbeat is checked, s."""

_THINKING = (AgentState.PROCESSING, AgentState.WAITING_FOR_APPROVAL)


class MotionInputs:
    """Passes messages to the motion controller, whose errors the node publishes on `motion_reports`.

    Layers, the pace and breathing can be changed at run time:
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
        node.create_subscription(MotionTarget, names.MOTION_TARGET, self._take_target, SENSOR)
        node.create_subscription(MotionOffset, names.MOTION_OFFSET, self._take_offset, SENSOR)
        node.create_subscription(Bool, names.LISTENING, self._take_listening, SENSOR)
        node.create_subscription(MotionTarget, names.TEACH_TARGET, self._take_lesson, SENSOR)
        self._thinking = _ThinkingWatch(node, controller.think)

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


class _ThinkingWatch:
    """Reports whether the agent is thinking. Reports False if the agent has died, even if its latched state remains.

    Args:
        node: Node that subscribes. Its executor runs the callbacks.
        tell: Called with whether the agent is thinking; called repeatedly with False while the agent is dead.
    """

    def __init__(self, node: AgentNode, tell: Callable[[bool], None]) -> None:
        self._tell = tell
        self._agent = HeartbeatMonitor(node, names.AGENT)
        node.create_subscription(AgentState, names.AGENT_STATE, self._take, LATCHED)
        node.every(_PERIOD, self._check_heartbeat)

    def _take(self, message: AgentState) -> None:
        self._tell(message.state in _THINKING)

    def _check_heartbeat(self) -> None:
        if not self._agent.alive:
            self._tell(False)
