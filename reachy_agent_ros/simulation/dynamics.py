"""Dynamics of the robot's body for the learning environments: posture by posture, nine numbers at a time.

`KinematicDynamics` is arithmetic: the safety gate's limits on speed and acceleration, and motors that lag and stick.
`mujoco_dynamics.MujocoDynamics` is physics.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from reachy_agent_ros.robot.coordinates import HEAD_PITCH, HEAD_YAW, NAMES, posture
from reachy_agent_ros.robot.gate import LONGEST_STEP
from reachy_agent_ros.robot.kinematics import JOINTS, BodyKinematics
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.rods import Rods

PERIOD = LONGEST_STEP
"""Time that one step takes, s: the longest that the safety gate makes up for, hence the fewest steps."""

COUNT = len(NAMES)
"""How many numbers a posture has."""

_QUICK = (0.6, 0.6, 0.6, 0.5, 0.5, 0.5, 1.0, 0.9, 0.9)
"""Share of the way to its command that each coordinate goes in a period, up to the band of dry friction."""

_BAND = (0.001, 0.001, 0.001, 0.05, 0.05, 0.05, 0.015, 0.01, 0.01)
"""How near to its command dry friction holds each coordinate up, m and rad."""

_CREEP = 0.1
"""Share of the way through that band in a period. These three were fitted to steps of the simulated robot."""

_COMPLIANCE = {HEAD_PITCH: 0.08, HEAD_YAW: 0.19}
"""How far a torque turns the head, rad/(N m), likewise."""

_LIMITS = tuple(
    (low, high, speed, acceleration * PERIOD, 2.0 * acceleration)
    for low, high, speed, acceleration in zip(
        LOW.tolist(), HIGH.tolist(), SPEED.tolist(), ACCELERATION.tolist(), strict=True
    )
)


@dataclass(frozen=True)
class Variation:
    """One robot; by default the model's own.

    Attributes:
        strength: Of its motors' position control (kp), as a share of the model's.
        friction: Of its motors' joints, likewise.
        head_mass: Likewise.
        delay: Time after which it hears a command, s, in whole periods.
        noise: Standard deviation of what it senses, rad; a thousandth of a metre stands for a hundredth of a radian.
    """

    strength: float = 1.0
    friction: float = 1.0
    head_mass: float = 1.0
    delay: float = 0.0
    noise: float = 0.0


class Dynamics(Protocol):
    """A body between the safety gate and its sensors, on a clock of its own. One thread uses it.

    Attributes:
        measured: Where it is: the nine numbers of `coordinates.NAMES`, m and rad. Read only.
    """

    measured: list[float]

    def reset(self, variation: Variation) -> None:
        """Puts it at rest at its neutral posture, as the robot that is described."""
        ...

    def step(self, goal: Sequence[float]) -> bool:
        """Pursues a posture for one `PERIOD`.

        Args:
            goal: Nine finite numbers as for `measured`, not necessarily within the envelope.

        Returns:
            Whether the gate held it back because the arms do not reach there.
        """
        ...

    def push(self, pitch: float, yaw: float) -> None:
        """Puts a torque on the head about the room's y and z axes from now on, N m."""
        ...

    def joints(self) -> Mapping[str, float]:
        """Position of every joint of the URDF, rad, to draw it by."""
        ...


class KinematicDynamics:
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
        bands = [variation.friction / variation.strength * band for band in _BAND]
        self._follow = list(zip((min(quick / weakness, 1.0) for quick in _QUICK), bands, strict=True))
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
                measured[index] += quick * (gap - held) + _CREEP * held
        return False

    def push(self, pitch: float, yaw: float) -> None:
        """Puts a torque on the head."""
        self._offset[HEAD_PITCH] = self._compliance * _COMPLIANCE[HEAD_PITCH] * pitch
        self._offset[HEAD_YAW] = self._compliance * _COMPLIANCE[HEAD_YAW] * yaw

    def joints(self) -> Mapping[str, float]:
        """Position of every joint of the URDF, rad.

        Raises:
            AgentError: `UNREACHABLE` where the arms end before this posture.
        """
        pose = posture(np.array(self.measured))
        joints = dict(zip(JOINTS, BodyKinematics().inverse(pose).tolist(), strict=True))
        return joints | Rods().joints(pose.head, joints)
