"""Where something is, as seen by the eye."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Vector, wrap_angle
from reachy_agent_ros.robot.envelope import ENVELOPE


@dataclass(frozen=True)
class Direction:
    """A direction in `base_link`.

    Attributes:
        yaw: rad, positive to the left.
        pitch: rad, positive below the horizon.
    """

    yaw: float
    pitch: float

    @classmethod
    def along(cls, vector: Vector) -> Direction:
        """Of a unit vector in `base_link`."""
        x, y, z = (float(value) for value in vector)
        return cls(math.atan2(y, x), -math.asin(min(max(z, -1.0), 1.0)))

    @property
    def vector(self) -> Vector:
        """Unit vector in `base_link`."""
        level = math.cos(self.pitch)
        return np.array([level * math.cos(self.yaw), level * math.sin(self.yaw), -math.sin(self.pitch)])

    def turned(self, yaw: float, pitch: float) -> Direction:
        """So much further to the left and down, rad."""
        return Direction(wrap_angle(self.yaw + yaw), self.pitch + pitch)

    def within_reach(self) -> Direction:
        """The nearest one that the neck can look in."""
        limit = ENVELOPE["head.pitch"]
        return Direction(self.yaw, min(max(self.pitch, limit.low), limit.high))
