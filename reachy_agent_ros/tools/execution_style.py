"""Execution style: how the robot looks, gestures and leans, which people can correct."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Vector, wrap_angle
from reachy_agent_ros.robot.pose_limits import ENVELOPE

LEAN = 0.015
"""m that the head leans forward unless another distance was taught: half of the limit."""


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
        """Turned by these angles to the left and down, rad."""
        return Direction(wrap_angle(self.yaw + yaw), self.pitch + pitch)

    def within_reach(self) -> Direction:
        """The nearest direction that the neck reaches."""
        limit = ENVELOPE["head.pitch"]
        return Direction(self.yaw, min(max(self.pitch, limit.low), limit.high))


@dataclass(frozen=True)
class Style:
    """How a gesture is made.

    Attributes:
        size: Share of its full size, above 0, at most 1.
        tempo: Share of its own tempo, above 0.
    """

    size: float = 1.0
    tempo: float = 1.0


class ExecutionStyle:
    """How one call is carried out. The base class is uncorrected. Ask each method once, just before the act."""

    def aim(self, seen: Direction) -> Direction:
        """Direction to look in for a thing that the camera sees in direction `seen`."""
        return seen

    def style(self) -> Style:
        """How to make a gesture."""
        return Style()

    def lean(self) -> float:
        """How far forward to lean so as to be near, m."""
        return LEAN

    def looks_at(self, distance: float | None) -> None:
        """Takes the distance of what the robot now looks at, m; None if it is unknown."""


UNTAUGHT = ExecutionStyle()
