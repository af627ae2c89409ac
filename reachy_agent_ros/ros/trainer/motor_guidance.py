"""Motors that a person's hand can lead, for as long as somebody is shown something."""

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
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch
from reachy_agent_ros.storage.storing import storing

PATIENCE = 20.0
"""s in which a bridge that has died is there again, so that the motors can be powered."""


class MotorGuidance:
    """Frees the motors and powers them again, also after this process was killed meanwhile.

    Args:
        node: Whose executor must be spinning in another thread.
        marker: File that is there while the motors are free.
    """

    def __init__(self, node: Node, marker: Path) -> None:
        bridge = HeartbeatWatch(node, names.HARDWARE_BRIDGE)
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._mode = ServiceCaller(node, SetMotorMode, names.SET_MOTOR_MODE, bridge)
        self._marker = marker

    @contextmanager
    def freed(self) -> Iterator[None]:
        """Lets a hand lead the robot for a `with` block.

        Raises:
            AgentError: The motors could not be freed, or at the end not be powered again.
        """
        with storing("That the motors are free cannot be noted"):
            write_durably(self._marker, "The motors are to be powered when the trainer starts.\n")
        try:
            self._set(RobotState.MOTORS_GRAVITY_COMPENSATION)
            yield
        finally:
            self.power()

    def recover(self) -> None:
        """Powers what an earlier process has left free.

        Raises:
            AgentError: The bridge did not do it in time.
        """
        if self._marker.exists():
            self.power()

    def power(self) -> None:
        """Powers the motors; waits for a bridge that is just starting.

        Raises:
            AgentError: It did not do it in time.
        """
        deadline = Deadline(PATIENCE)
        while True:
            try:
                self._set(RobotState.MOTORS_ENABLED)
            except AgentError:
                if deadline.passed:
                    raise
                time.sleep(0.1)
            else:
                self._marker.unlink(missing_ok=True)
                return

    def require_robot(self) -> None:
        """Refuses where there is nothing to record.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` or `ROBOT_DISCONNECTED`.
        """
        answer = self._state.call(GetRobotState.Request())
        if answer.error_code != ErrorCode.NONE:
            raise AgentError(ErrorCode(answer.error_code), answer.error_msg)

    def _set(self, mode: int) -> None:
        answer = self._mode.call(SetMotorMode.Request(mode=mode), timeout=5.0)
        if answer.error_code != ErrorCode.NONE:
            raise AgentError(ErrorCode(answer.error_code), answer.error_msg)
