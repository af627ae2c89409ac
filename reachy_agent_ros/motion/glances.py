"""Glances of the idle robot: random directions and points of interest, in an order that does not repeat itself."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from random import Random

import numpy as np

from reachy_agent_ros.core.pose import Vector, wrap_angle
from reachy_agent_ros.robot.coordinates import ANGLES, ANTENNAS, BODY_YAW, HEAD_PITCH, HEAD_YAW
from reachy_agent_ros.robot.pose_limits import HIGH, LOW, NECK_COMFORT

NOT_REPEATED = 720.0
"""Time within which two glances do not follow each other in the same order again, s."""

SIMILAR = math.radians(2.5)
"""Difference of every angle of the head up to which two glances count as the same, rad."""

_REMEMBERED = 60.0
"""Time for which a point is of interest, s."""

_MOST_POINTS = 8
_SAME_PLACE = math.radians(8.0)
"""Angle between two points up to which they count as one, rad: breathing and detections move a point slightly."""

_PITCH, _ROLL = 0.35, 0.15
"""Largest pitch and roll of a glance at nothing, as fractions of its largest yaw. People also turn sideways most."""

_SWAY = math.radians(25.0)
"""Largest change of an antenna in a glance of full size, rad."""

_AT_A_POINT = 0.5
"""Probability that a glance is at a known point of interest, if there is one."""


@dataclass
class _Point:
    """Point of interest: direction (rad), time at which it was last noticed (s), and whether it is new."""

    yaw: float
    pitch: float
    seen: float
    new: bool = True


class Glances:
    """Chooses the next glance of an idle robot.

    A glance is a posture near the resting posture. It turns the head by a random angle or toward a point of interest,
    and moves the antennas. Two glances that followed each other do not do so again for `NOT_REPEATED`.

    Args:
        random: Source of randomness.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._points: list[_Point] = []
        self._past: deque[tuple[float, Vector]] = deque()

    def notice(self, yaw: float, pitch: float, now: float) -> bool:
        """Remembers a direction that may be of interest. Returns whether it was unknown.

        Args:
            yaw: Angle from the front of the robot's base, rad, positive to the left.
            pitch: Angle below the horizon, rad.
            now: Time on the steady clock, s.
        """
        self._forget(now)
        for point in self._points:
            if abs(wrap_angle(point.yaw - yaw)) <= _SAME_PLACE and abs(point.pitch - pitch) <= _SAME_PLACE:
                point.yaw, point.pitch, point.seen = yaw, pitch, now
                return False
        self._points = [*self._points[1 - _MOST_POINTS :], _Point(yaw, pitch, now)]
        return True

    def choose(self, rest: Vector, turn: float, size: float, now: float) -> Vector | None:
        """Proposes a glance.

        Args:
            rest: Coordinates of the resting posture.
            turn: Maximum turn of the head, rad.
            size: Fraction of the maximum size, 0 to 1.
            now: Present time, s.

        Returns:
            Coordinates of the posture, which may be outside the workspace; None if the proposal would repeat an earlier
            order of glances.
        """
        self._forget(now)
        glance = rest.copy()
        point = self._point()
        if point is None:
            yaw = self._random.uniform(-size, size) * turn
            pitch, roll = (self._random.uniform(-size, size) * turn * share for share in (_PITCH, _ROLL))
            glance[ANGLES] += (roll, pitch, yaw)
        else:
            to_left = wrap_angle(point.yaw - rest[BODY_YAW] - rest[HEAD_YAW])
            glance[HEAD_YAW] += size * float(np.clip(to_left, -turn, turn))
            glance[HEAD_PITCH] += size * float(np.clip(point.pitch - rest[HEAD_PITCH], -turn, turn))
        glance[HEAD_YAW] = float(np.clip(glance[HEAD_YAW], -NECK_COMFORT, NECK_COMFORT))
        glance[ANTENNAS] += [self._random.uniform(-size, size) * _SWAY for _ in range(2)]
        glance[ANTENNAS] = np.clip(glance[ANTENNAS], LOW[ANTENNAS], HIGH[ANTENNAS])
        return None if self._repeats(glance[ANGLES]) else glance

    def record(self, glance: Vector, now: float) -> None:
        """Remembers that the robot turns to a glance."""
        self._past.append((now, glance[ANGLES].copy()))
        for point in self._points:
            point.new = False

    def _point(self) -> _Point | None:
        """Returns the point to glance at: a new one, perhaps a known one, or None for a glance at nothing."""
        new = [point for point in self._points if point.new]
        if new:
            return new[-1]
        if self._points and self._random.random() < _AT_A_POINT:
            return self._random.choice(self._points)
        return None

    def _repeats(self, angles: Vector) -> bool:
        """Returns whether a glance after the latest one would repeat the order of two earlier ones."""
        if len(self._past) < 2:
            return False
        past = np.array([glance for _, glance in self._past])
        same_first = (np.abs(past[:-1] - past[-1]) <= SIMILAR).all(axis=1)
        same_second = (np.abs(past[1:] - angles) <= SIMILAR).all(axis=1)
        return bool((same_first & same_second).any())

    def _forget(self, now: float) -> None:
        """Forgets points and glances that are too old."""
        self._points = [point for point in self._points if now - point.seen <= _REMEMBERED]
        while self._past and now - self._past[0][0] > NOT_REPEATED:
            self._past.popleft()
