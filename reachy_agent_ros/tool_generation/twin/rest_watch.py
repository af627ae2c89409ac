"""Whether a simulated robot rests, so that time may pass without its physics being computed."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.robot.protocol import Measurement

SLOWEST = 1e-5
"""rad/s below which no joint moves: a speed that friction ends, after a thousandth of a degree."""

_SAME = 1e-9
"""Difference of two commands that is rounding, m or rad."""


class RestWatch:
    """Compares each command of a loop with the one before.

    Things on the desk do not count: in simulation they never come to rest, and they do not reach the robot.
    """

    def __init__(self) -> None:
        self._commanded: Vector | None = None

    def see(self, measured: Measurement, commanded: Vector) -> bool:
        """Takes what was measured and what was commanded, as `coordinates`. Returns whether both will stay so."""
        before, self._commanded = self._commanded, commanded
        same = before is not None and float(np.abs(commanded - before).max()) < _SAME
        return same and all(abs(speed) < SLOWEST for speed in measured.joint_velocities.values())
