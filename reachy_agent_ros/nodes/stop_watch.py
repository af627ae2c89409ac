"""Noticing that the robot was stopped, for nodes whose work must end then."""

from __future__ import annotations

from collections.abc import Callable

from rclpy.node import Node
from reachy_agent_msgs.msg import RobotState

from reachy_agent_ros.core import names
from reachy_agent_ros.nodes.qos import LATCHED


class StopWatch:
    """Tells of every emergency stop, whoever asked for it; the bridge itself confirms it.

    Args:
        node: Whose executor runs the callback.
        stopped: Called when the robot has just been stopped. A stop that holds already when the node starts is none.
    """

    def __init__(self, node: Node, stopped: Callable[[], None]) -> None:
        self._stopped = stopped
        self._holds = True
        self._subscription = node.create_subscription(RobotState, names.ROBOT_STATE, self._look, LATCHED)

    def _look(self, state: RobotState) -> None:
        held, self._holds = self._holds, state.emergency_stopped
        if self._holds and not held:
            self._stopped()
