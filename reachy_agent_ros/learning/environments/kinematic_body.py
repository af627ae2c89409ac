"""The body as arithmetic: the safety gate's limits on speed and acceleration, and motors that lag and stick."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from reachy_agent_ros.learning.environments.channel import COUNT, PERIOD, Channel
from reachy_agent_ros.learning.environments.dynamics import Variation
from reachy_agent_ros.robot.coordinates import posture
from reachy_agent_ros.robot.envelope import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.kinematics import JOINTS, BodyKinematics
from reachy_agent_ros.robot.rods import Rods

QUICK = (0.6, 0.6, 0.6, 0.5, 0.5, 0.5, 1.0, 0.9, 0.9)
"""Share of the way to its command that each coordinate goes in a period, up to the band of dry friction."""

BAND = (0.001, 0.001, 0.001, 0.05, 0.05, 0.05, 0.015, 0.01, 0.01)
"""How near to its command dry friction holds each coordinate up, m and rad."""

CREEP = 0.1
"""Share of the way through that band in a period. These three were fitted to steps of the simulated robot."""

COMPLIANCE = {Channel.PITCH: 0.08, Channel.YAW: 0.19}
"""How far a torque turns the head, rad/(N m), likewise."""

_LIMITS = tuple(
    (low, high, speed, acceleration * PERIOD, 2.0 * acceleration)
    for low, high, speed, acceleration in zip(
        LOW.tolist(), HIGH.tolist(), SPEED.tolist(), ACCELERATION.tolist(), strict=True
    )
)


class KinematicBody:
    """`limiter.approach` in plain numbers, which for nine of them are ten times as fast as arrays.

    It knows neither collisions nor where the arms end: what it allows, the gate may still hold back.
    """

    def __init__(self) -> None:
        self.reset(Variation())

    def reset(self, variation: Variation) -> None:
        """Puts it at rest at its neutral posture, as the robot that is described."""
        self.measured = [0.0] * COUNT
        self._command = [0.0] * COUNT
        self._velocity = [0.0] * COUNT
        self._offset = [0.0] * COUNT
        weakness = variation.head_mass / variation.strength
        bands = [variation.friction / variation.strength * band for band in BAND]
        self._follow = list(zip((min(quick / weakness, 1.0) for quick in QUICK), bands, strict=True))
        self._compliance = weakness

    def step(self, goal: Sequence[float]) -> bool:
        """Pursues a posture for one period. It is never held back."""
        command, velocity, measured = self._command, self._velocity, self.measured
        for index, (low, high, speed, reserve, twice) in enumerate(_LIMITS):
            position, moving = command[index], velocity[index]
            wanted = goal[index]
            distance = (low if wanted < low else high if wanted > high else wanted) - position
            if distance or moving:
                stoppable = min(math.sqrt(reserve * reserve + twice * abs(distance)) - reserve, speed)
                desired = stoppable if distance > 0.0 else -stoppable
                moving = velocity[index] = max(min(desired, moving + reserve), moving - reserve)
                position = command[index] = position + moving * PERIOD
            gap = position + self._offset[index] - measured[index]
            if gap:
                quick, band = self._follow[index]
                held = band if gap > band else -band if gap < -band else gap
                measured[index] += quick * (gap - held) + CREEP * held
        return False

    def push(self, pitch: float, yaw: float) -> None:
        """Puts a torque on the head."""
        self._offset[Channel.PITCH] = self._compliance * COMPLIANCE[Channel.PITCH] * pitch
        self._offset[Channel.YAW] = self._compliance * COMPLIANCE[Channel.YAW] * yaw

    def joints(self) -> Mapping[str, float]:
        """Position of every joint of the URDF, rad.

        Raises:
            AgentError: `UNREACHABLE` where the arms end before this posture.
        """
        pose = posture(np.array(self.measured))
        joints = dict(zip(JOINTS, BodyKinematics().inverse(pose).tolist(), strict=True))
        return joints | Rods().joints(pose.head, joints)
