"""Looks of the idle robot for faces and objects at which it may glance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future

from geometry_msgs.msg import PointStamped
from reachy_agent_msgs.msg import RobotState

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import point_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, SENSOR


class IdleLook:
    """Takes a picture now and then while the robot is idle, and publishes where it shows something.

    It takes no picture if nobody subscribes to the points, for example because the idle life is disabled.

    Args:
        node: Node that publishes the points.
        period: Time between two pictures, s; 0: no pictures.
        look: Returns the positions in `base_link` (m) of what a new picture shows. Raises an `AgentError` if there is
            no picture.
        executor: Runs `look`.

    Attributes:
        problem: Reason why there are no points; empty if there is none.
    """

    def __init__(
        self, node: AgentNode, period: float, look: Callable[[], Sequence[Vector]], executor: Executor
    ) -> None:
        self.problem = ""
        self._node = node
        self._look = look
        self._executor = executor
        self._idle = False
        self._looking: Future[None] | None = None
        self._points = node.create_publisher(PointStamped, names.POINT_OF_INTEREST, SENSOR)
        node.create_subscription(RobotState, names.ROBOT_STATE, self._take_state, LATCHED)
        if period > 0.0:
            node.every(period, self._look_if_idle)

    @property
    def wanted(self) -> bool:
        """Whether the robot is idle and somebody subscribes to the points."""
        return self._idle and self._points.get_subscription_count() > 0

    def _take_state(self, state: RobotState) -> None:
        self._idle = state.breathing

    def _look_if_idle(self) -> None:
        if self.wanted and (self._looking is None or self._looking.done()):
            self._looking = self._executor.submit(self._publish)

    def _publish(self) -> None:
        try:
            points = self._look()
        except AgentError as error:
            self.problem = error.message
            return
        self.problem = ""
        for point in points:
            self._points.publish(PointStamped(header=self._node.header(names.BASE_FRAME), point=point_message(point)))
