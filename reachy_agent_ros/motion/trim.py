"""What has to be added to a command so that the body soon is where it should be."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.following import SIGNIFICANT, TOLERANCE

GAIN = 2.0
"""Multiple of a lasting deviation that is added: a third of it remains."""

RESPONSE = 0.15
"""Time constant, s. Three times what the real robot takes to answer, for the loop to be stable there as well."""

LARGEST = TOLERANCE
"""Greatest correction."""

FADING = 0.3
"""Time constant, s, with which it goes away in the next motion, which has a lag of its own."""


class Trim:
    """A leaky integrator around a body at rest, bounded.

    The last degrees of a motion creep in: friction and the arms' compliance leave the simulated head 4 deg behind the
    command when a motion ends, and 1.5 deg 0.6 s later; with this it is 0.2 deg. What holds the body back for good is
    worked against with no more than the bound.

    Attributes:
        values: To add to the nine coordinates of the command.
    """

    def __init__(self) -> None:
        self.values = np.zeros(9)

    def correct(self, wanted: Vector, measured: Vector, dt: float) -> None:
        """Takes one sample of a body that should be at rest at `wanted`."""
        deviation = np.clip(wanted - measured, -SIGNIFICANT, SIGNIFICANT)
        change = (GAIN * deviation - self.values) * dt / RESPONSE
        self.values = np.clip(self.values + change, -LARGEST, LARGEST)

    def fade(self, dt: float) -> None:
        """Lets it go, while the body moves."""
        self.values = self.values * math.exp(-dt / FADING)

    def clear(self) -> None:
        """Forgets it at once, for when the robot is somewhere else than it was commanded to."""
        self.values = np.zeros(9)
