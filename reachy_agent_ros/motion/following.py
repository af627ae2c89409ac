"""Checks whether the measured posture of the robot follows its commands."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.robot.coordinates import NAMES, coordinates

TOLERANCE = np.array([0.008] * 3 + [0.07] * 3 + [0.07] + [0.15] * 2)
"""Distance from the goal at which the robot counts as having arrived, m and rad: for the head, twice the error that
friction causes in simulation; for other coordinates, a few degrees."""

SIGNIFICANT = 2.0 * TOLERANCE
"""Smallest commanded change that a working robot must follow, m and rad."""

PATIENCE = 0.7
"""Time within which the robot must follow, s: motion starts after about 40 ms, and its slow final part takes 0.5 s."""

_SHOWN = 0.2
"""Fraction of a significant change that counts as following."""


class Following:
    """Compares commands with measurements from the start of a motion.

    Args:
        measured: Measured posture at the start.
        command: Commanded posture at the start.
    """

    def __init__(self, measured: BodyPose, command: BodyPose) -> None:
        self._measured_start = coordinates(measured)
        self._command_start = coordinates(command)
        self._measured_range = np.zeros(9)
        self._command_range = np.zeros(9)
        self._ignored_since: float | None = None

    def observe(self, measured: BodyPose, command: BodyPose, now: float) -> None:
        """Adds a measurement and a command at the time `now` (steady clock, s)."""
        self._measured_range = np.maximum(self._measured_range, np.abs(coordinates(measured) - self._measured_start))
        self._command_range = np.maximum(self._command_range, np.abs(coordinates(command) - self._command_start))
        if not self._unanswered().any():
            self._ignored_since = None
        elif self._ignored_since is None:
            self._ignored_since = now

    def ignored(self, measured_at: float) -> str | None:
        """Returns the name of a coordinate that has not followed its command for `PATIENCE`, or None.

        Args:
            measured_at: Time of the latest measurement on the steady clock, s. An old measurement cannot show a
                reaction, as when the connection to the robot stalls.
        """
        if self._ignored_since is None or measured_at - self._ignored_since < PATIENCE:
            return None
        return NAMES[int(np.argmax(self._unanswered()))]

    def _unanswered(self) -> Vector:
        return np.asarray((self._command_range > SIGNIFICANT) & (self._measured_range < _SHOWN * SIGNIFICANT))


def furthest_miss(measured: BodyPose, goal: BodyPose) -> tuple[str, float, float] | None:
    """Returns the coordinate with the largest error relative to its tolerance, its goal and its measured value.

    Returns None if all coordinates are within their tolerances.
    """
    wanted, found = coordinates(goal), coordinates(measured)
    excess = np.abs(wanted - found) / TOLERANCE
    worst = int(np.argmax(excess))
    return None if excess[worst] <= 1.0 else (NAMES[worst], float(wanted[worst]), float(found[worst]))
