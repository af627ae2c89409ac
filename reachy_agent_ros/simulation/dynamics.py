"""Dynamics of the robot's body for the learning environments. Postures consist of nine coordinates.

`KinematicDynamics` models the speed and acceleration limits of the safety gate, and the lag and friction of the motors.
`mujoco_dynamics.MujocoDynamics` simulates physics.
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
"""Duration of a step, s: the longest that the safety gate accepts, so that an episode has as few steps as possible."""

COUNT = len(NAMES)
"""Number of coordinates of a posture."""

_QUICK = (0.6, 0.6, 0.6, 0.5, 0.5, 0.5, 1.0, 0.9, 0.9)
"""Share of the distance to its command that each coordinate covers in a period, outside the band of dry friction."""

_BAND = (0.001, 0.001, 0.001, 0.05, 0.05, 0.05, 0.015, 0.01, 0.01)
"""Distance from its command within which dry friction slows each coordinate, m and rad."""

_CREEP = 0.1
"""Share of the distance covered per period within that band. These three constants were fitted to step responses of the
simulated robot."""

_COMPLIANCE = {HEAD_PITCH: 0.08, HEAD_YAW: 0.19}
"""Rotation of the head per unit of torque, rad/(N m), fitted in the same way."""

_LIMITS = tuple(
    (low, high, speed, acceleration * PERIOD, 2.0 * acceleration)
    for low, high, speed, acceleration in zip(
        LOW.tolist(), HIGH.tolist(), SPEED.tolist(), ACCELERATION.tolist(), strict=True
    )
)


@dataclass(frozen=True)
class Variation:
    """Physical properties of one robot. The defaults are the properties of the model.

    Attributes:
        strength: Gain of the motors' position control (kp) relative to the model.
        friction: Friction of the joints relative to the model.
        head_mass: Mass of the head relative to the model.
        delay: Delay of commands, s, rounded to whole periods.
        noise: Standard deviation of sensor noise, rad; for translations, 0.001 m corresponds to 0.01 rad.
    """

    strength: float = 1.0
    friction: float = 1.0
    head_mass: float = 1.0
    delay: float = 0.0
    noise: float = 0.0


class Dynamics(Protocol):
    """Protocol of the dynamics, which move the body in virtual time. Not thread-safe.

    Attributes:
        measured: Measured coordinates as in `coordinates.NAMES`, m and rad. Do not modify.
    """

    measured: list[float]

    def reset(self, variation: Variation) -> None:
        """Sets the properties of the robot, and puts it at rest in its neutral posture."""
        ...

    def step(self, goal: Sequence[float]) -> bool:
        """Moves towards a posture for one `PERIOD`.

        Args:
            goal: Nine finite coordinates as in `measured`, possibly outside the envelope.

        Returns:
            Whether the gate held the body back because the arms cannot reach the goal.
        """
        ...

    def push(self, pitch: float, yaw: float) -> None:
        """Applies a constant torque (N m) to the head about the y and z axes of the room, from now on."""
        ...

    def joints(self) -> Mapping[str, float]:
        """Returns the positions (rad) of all joints of the URDF, for rendering."""
        ...


class KinematicDynamics:
    """Kinematic model, ten times as fast as `limiter.approach`, because it uses plain floats instead of arrays.

    The model ignores collisions and the reach of the arms, so the safety gate may reject postures that it allows.
    """

    def __init__(self) -> None:
        self.reset(Variation())

    def reset(self, variation: Variation) -> None:
        """Sets the properties of the robot, and puts it at rest in its neutral posture."""
        self.measured = [0.0] * COUNT
        self._command = [0.0] * COUNT
        self._velocity = [0.0] * COUNT
        self._offset = [0.0] * COUNT
        weakness = variation.head_mass / variation.strength
        bands = [variation.friction / variation.strength * band for band in _BAND]
        self._follow = list(zip((min(quick / weakness, 1.0) for quick in _QUICK), bands, strict=True))
        self._compliance = weakness

    def step(self, goal: Sequence[float]) -> bool:
        """Moves towards a posture for one period. Returns False, because every posture can be reached."""
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
        """Applies a constant torque (N m) to the head about the y and z axes of the room."""
        self._offset[HEAD_PITCH] = self._compliance * _COMPLIANCE[HEAD_PITCH] * pitch
        self._offset[HEAD_YAW] = self._compliance * _COMPLIANCE[HEAD_YAW] * yaw

    def joints(self) -> Mapping[str, float]:
        """Returns the positions (rad) of all joints of the URDF.

        Raises:
            AgentError: `UNREACHABLE` if the posture is beyond the reach of the arms.
        """
        pose = posture(np.array(self.measured))
        joints = dict(zip(JOINTS, BodyKinematics().inverse(pose).tolist(), strict=True))
        return joints | Rods().joints(pose.head, joints)
