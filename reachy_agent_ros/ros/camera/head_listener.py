"""Listening to where the head is, but only while somebody needs to know: fifty poses a second cost 2 % of a core."""

from __future__ import annotations

import time
from typing import Any

from geometry_msgs.msg import PoseStamped
from rclpy.node import Node

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR
from reachy_agent_ros.vision.head_history import HeadHistory

LINGER = 3.0
"""s to go on after the last need: whoever asked once asks again, and joining anew would cost each time."""


class HeadListener:
    """Fills a history. Its methods belong in the executor's thread.

    Args:
        node: Whose executor runs the callbacks.

    Attributes:
        history: What was heard; for any thread.
    """

    def __init__(self, node: Node) -> None:
        self.history = HeadHistory()
        self._node = node
        self._subscription: Any = None
        self._needed = -float("inf")

    def need(self) -> None:
        """Listens from now on for a while."""
        self._needed = time.monotonic()
        if self._subscription is None:
            self._subscription = self._node.create_subscription(PoseStamped, names.HEAD_POSE, self._remember, SENSOR)

    def relax(self) -> None:
        """Stops listening if nobody has needed it for a while. To be called now and then."""
        if self._subscription is not None and time.monotonic() - self._needed > LINGER:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    def _remember(self, message: PoseStamped) -> None:
        self.history.add(seconds_of(message.header.stamp), transform_from_pose(message.pose))
