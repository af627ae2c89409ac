"""Motor power for demonstrations by hand: frees the motors, and powers them again after a crash."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rclpy.node import Node
from reachy_agent_msgs.msg import RobotState
from reachy_agent_msgs.srv import GetRobotState, SetMotorMode

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.storage.storing import storing

_POWER_PATIENCE = 20.0
"""Time for a crashed bridge to restart, so that it can power the motors, s."""


class MotorGuidance:
    """Frees the motors and powers them again, if necessary after a restart of this process.

    Args:
        node: Calling node. Its executor must be spinning in another thread.
        marker: Path of a file that exists while the motors are free.
    """

    def __init__(self, node: Node, marker: Path) -> None:
        bridge = HeartbeatMonitor(node, names.HARDWARE_BRIDGE)
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._mode = ServiceCaller(node, SetMotorMode, names.SET_MOTOR_MODE, bridge)
        self._marker = marker

    @contextmanager
    def freed(self) -> Iterator[None]:
        """Frees the motors during a `with` block, so that a person can move the robot by hand.

        Raises:
            AgentError: The motors could not be freed, or could not be powered at the end; `STORAGE_FAILED`.
        """
        with storing("Cannot note that the motors are free"):
            write_durably(self._marker, "The motors are to be powered when the trainer starts.\n")
        try:
            self._set(RobotState.MOTORS_GRAVITY_COMPENSATION)
            yield
        finally:
            self.power()

    def recover(self) -> None:
        """Powers the motors if an earlier process left them free.

        Raises:
            AgentError: The bridge did not power the motors in time; `STORAGE_FAILED`.
        """
        if self._marker.exists():
            self.power()

    def power(self) -> None:
        """Powers the motors. Waits for the bridge if it is still starting.

        Raises:
            AgentError: The bridge did not power the motors in time; `STORAGE_FAILED`.
        """
        deadline = Deadline(_POWER_PATIENCE)
        while True:
            try:
                self._set(RobotState.MOTORS_ENABLED)
            except AgentError:
                if deadline.passed:
                    raise
                time.sleep(0.1)
            else:
                with storing("Cannot note that the motors have power"):
                    self._marker.unlink(missing_ok=True)
                return

    def require_robot(self) -> None:
        """Raises an error unless the robot is connected.

        Raises:
            AgentError: Error of the connection, such as `ROBOT_DISCONNECTED`, or an error of `ServiceCaller.call`.
        """
        self._state.ask(GetRobotState.Request())

    def _set(self, mode: int) -> None:
        self._mode.ask(SetMotorMode.Request(mode=mode), timeout=5.0)
