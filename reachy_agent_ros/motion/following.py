"""Whether the robot does what it is commanded to do, seen from outside."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.robot.coordinates import NAMES, coordinates

TOLERANCE = np.array([0.008] * 3 + [0.07] * 3 + [0.07] + [0.15] * 2)
"""How near is there, m and rad: twice what friction leaves in the simulated head, a few degrees elsewhere."""

SIGNIFICANT = 2.0 * TOLERANCE
"""A commanded change that a robot that listens must show."""

PATIENCE = 0.7
"""Seconds a robot has to show it: it first moves after some 40 ms, the slow tail takes 0.5 s."""

_SHOWN = 0.2
"""Share of a significant change that counts as showing it."""


class Following:
    """Compares commands with what is measured, from a start on.

    Args:
        measured: Where the robot is at the start.
        command: What it is commanded then.
    """

    def __init__(self, measured: BodyPose, command: BodyPose) -> None:
        self._measured_start = coordinates(measured)
        self._command_start = coordinates(command)
        self._measured_range = np.zeros(9)
        self._command_range = np.zeros(9)
        self._ignored_since: float | None = None

    def observe(self, measured: BodyPose, command: BodyPose, now: float) -> None:
        """Takes one sample of both; `now` is on the steady clock, s."""
        self._measured_range = np.maximum(self._measured_range, np.abs(coordinates(measured) - self._measured_start))
        self._command_range = np.maximum(self._command_range, np.abs(coordinates(command) - self._command_start))
        if not self._unanswered().any():
            self._ignored_since = None
        elif self._ignored_since is None:
            self._ignored_since = now

    def ignored(self, now: float) -> str | None:
        """Name of a coordinate that was commanded to change and has not for longer than `PATIENCE`, else None."""
        if self._ignored_since is None or now - self._ignored_since < PATIENCE:
            return None
        return NAMES[int(np.argmax(self._unanswered()))]

    def _unanswered(self) -> Vector:
        return np.asarray((self._command_range > SIGNIFICANT) & (self._measured_range < _SHOWN * SIGNIFICANT))


def furthest_miss(measured: BodyPose, goal: BodyPose) -> tuple[str, float, float] | None:
    """The coordinate furthest beyond its tolerance with its wanted and measured value; None when all are there."""
    wanted, found = coordinates(goal), coordinates(measured)
    excess = np.abs(wanted - found) / TOLERANCE
    worst = int(np.argmax(excess))
    return None if excess[worst] <= 1.0 else (NAMES[worst], float(wanted[worst]), float(found[worst]))
