"""Front of the robot, from which tools and people count directions of the head."""

from __future__ import annotations

import math
import threading
from dataclasses import replace

from reachy_agent_ros.core.pose import BodyPose, Matrix, head_transform

_TOLERANCE = math.radians(5.0)
"""Turn of the body that does not change the front, rad: more than the error of a motion, less than people notice."""


class Heading:
    """Front of the robot: the yaw of its body, except where a turn of the head has turned the body too. Thread-safe.

    After "turn your body to the left", "look left" means further left. After "look far left", which turns the body by
    the part of the yaw that the neck does not take, "look far left" still means the same direction.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._front = 0.0
        self._body_yaw = 0.0

    def front(self, body_yaw: float) -> float:
        """Returns the yaw of the front in `head_base`, rad; exactly 0 if it is close to 0.

        Args:
            body_yaw: Measured yaw of the body, rad.
        """
        with self._lock:
            if abs(body_yaw - self._body_yaw) > _TOLERANCE:
                self._front = self._body_yaw = body_yaw
            return self._front if abs(self._front) > _TOLERANCE else 0.0

    def seen_from_front(self, pose: BodyPose) -> BodyPose:
        """Returns a measured pose with its head in the frame of the front. The yaw of the body stays the same."""
        front = self.front(pose.body_yaw)
        return replace(pose, head=turned(pose.head, -front)) if front else pose

    def keep(self, body_yaw: float) -> None:
        """Keeps the front after a motion of the head that has turned the body to `body_yaw`, rad."""
        with self._lock:
            self._body_yaw = body_yaw

    def face(self, body_yaw: float) -> None:
        """Makes the yaw of the body, rad, the front."""
        with self._lock:
            self._front = self._body_yaw = body_yaw


def turned(head: Matrix, yaw: float) -> Matrix:
    """Returns a 4x4 head transform, rotated about the vertical axis of `head_base` by `yaw`, rad."""
    return head_transform(yaw=yaw) @ head
