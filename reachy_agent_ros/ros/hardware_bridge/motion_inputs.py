"""Input topics of the motion controller: targets, offsets, listening and teaching."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.parameter import Parameter
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

_SWITCHES = {f"{source.name.lower()}_layer": source for source in OffsetSource}

_PERIOD = 1.5
"""Period of the check of the agent's heartbeat, s."""

_THINKING = (AgentState.PROCESSING, AgentState.WAITING_FOR_APPROVAL)


class MotionInputs:
    """Passes messages to the motion controller. Errors are published on `motion_reports`.

    Layers can be switched at run time: `ros2 param set /reachy_mini/hardware_bridge speech_layer false`.

    Args:
        node: Subscribing node.
        controller: Motion controller.
        loop: Motion loop, whose thread owns the robot.
        robot: Robot. Teaching requires a `Leadable` one.
    """

    def __init__(self, node: AgentNode, controller: MotionController, loop: MotionLoop, robot: Robot) -> None:
        self._controller = controller
        self._loop = loop
        self._robot = robot
        node.add_on_set_parameters_callback(self._switch_layers)
        for name, source in _SWITCHES.items():
            description = f"Whether offsets of the layer {source.name} are added to motions"
            node.declare_parameter(name, True, ParameterDescriptor(description=description))
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

    def _switch_layers(self, parameters: list[Parameter[Any]]) -> SetParametersResult:
        for parameter in parameters:
            if parameter.name in _SWITCHES:
                self._controller.switch_layer(_SWITCHES[parameter.name], bool(parameter.value))
        return SetParametersResult(successful=True)


def breath_parameters(node: AgentNode) -> Breath:
    """Declares the parameters of the breathing motion and returns their values."""
    pause = "Idle time after which the robot begins to breathe, s; 0: never"
    return Breath(
        pause=node.parameter("breathing_pause", Breath.pause, pause, low=0.0, high=3600.0),
        lift=node.parameter("breathing_lift", Breath.lift, "Amplitude of the head's breathing, m", low=0.0, high=0.02),
        rate=node.parameter("breathing_rate", Breath.rate, "Frequency of the head's breathing, Hz", low=0.05, high=1.0),
        sway=node.parameter(
            "breathing_sway", Breath.sway, "Amplitude of the antennas' breathing, rad", low=0.0, high=0.8
        ),
        sway_rate=node.parameter(
            "breathing_sway_rate", Breath.sway_rate, "Frequency of the antennas' breathing, Hz", low=0.05, high=1.0
        ),
    )


class _ThinkingWatch:
    """Reports whether the agent is thinking. A dead agent does not think, although its last state remains latched.

    Args:
        node: Subscribing node. Its executor runs the callbacks.
        tell: Callback with whether the agent thinks; called repeatedly with False while the agent is dead.
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
