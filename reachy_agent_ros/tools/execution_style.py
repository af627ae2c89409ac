"""Execution style: corrections that people have taught for looking, gesturing and leaning."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Vector, wrap_angle
from reachy_agent_ros.robot.pose_limits import ENVELOPE
from reachy_agent_ros.tools.body import MoveLibrary

LEAN = 0.015
"""Default distance that the head leans forward, m: half of the maximum that people can teach."""


@dataclass(frozen=True)
class Direction:
    """A direction in `base_link`.

    Attributes:
        yaw: Yaw angle, rad, positive to the left.
        pitch: Pitch angle, rad, positive below the horizon.
    """

    yaw: float
    pitch: float

    @classmethod
    def along(cls, vector: Vector) -> Direction:
        """Returns the direction of a unit vector in `base_link`."""
        x, y, z = (float(value) for value in vector)
        return cls(math.atan2(y, x), -math.asin(min(max(z, -1.0), 1.0)))

    @property
    def vector(self) -> Vector:
        """The direction as a unit vector in `base_link`."""
        level = math.cos(self.pitch)
        return np.array([level * math.cos(self.yaw), level * math.sin(self.yaw), -math.sin(self.pitch)])

    def turned(self, yaw: float, pitch: float) -> Direction:
        """Returns the direction rotated to the left by `yaw` (rad) and down by `pitch` (rad)."""
        return Direction(wrap_angle(self.yaw + yaw), self.pitch + pitch)

    def within_reach(self) -> Direction:
        """Returns the nearest direction within the pitch limits of the head, which the neck may not quite reach."""
        limit = ENVELOPE["head.pitch"]
        return Direction(self.yaw, min(max(self.pitch, limit.low), limit.high))


@dataclass(frozen=True)
class Style:
    """Size and tempo of a gesture, an emotion or a dance.

    Attributes:
        size: Fraction of its full size, above 0, at most 1.
        tempo: Multiple of its normal tempo, above 0.
    """

    size: float = 1.0
    tempo: float = 1.0


class ExecutionStyle:
    """Execution style of a call. The base class has no corrections. Call a method right before its action, once."""

    def aim(self, seen: Direction) -> Direction:
        """Returns the direction in which to look at an object that the camera detects in the direction `seen`."""
        return seen

    def style(self, library: MoveLibrary) -> Style:
        """Returns the style of a gesture, an emotion or a dance."""
        return Style()

    def lean(self) -> float:
        """Returns how far (m) the robot leans forward to approach an object."""
        return LEAN

    def looks_at(self, distance: float | None) -> None:
        """Records the distance (m) of the object that the robot is looking at. None means unknown."""


UNTAUGHT = ExecutionStyle()
