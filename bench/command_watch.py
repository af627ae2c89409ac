"""Counts what must never reach the motors."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.loop import PERIOD
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.envelope import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.kinematics import BodyKinematics

_ROUNDING = 1e-6


class CommandWatch:
    """Sees every command of a loop.

    Attributes:
        violations: Commands outside the envelope, faster than it allows, or beyond the arms' reach.
        jumps: Changes of the velocity by more than the acceleration limit allows within a period. The first command
            of an emergency stop, which ends all speed at once, is none.
        acceleration: Greatest change of the velocity, as a share of what is allowed.
    """

    def __init__(self) -> None:
        self.violations = 0
        self.jumps = 0
        self.acceleration = 0.0
        self._kinematics = BodyKinematics()
        self._position: Vector | None = None
        self._velocity = np.zeros(9)

    def see(self, command: BodyPose | None, stopped: bool) -> None:
        """Takes the command of one period, None while the motors are off."""
        if command is None or not np.isfinite(command.head).all():
            self.violations += command is not None
            self._position, self._velocity = None, np.zeros(9)
            return
        position = coordinates(command)
        velocity = self._velocity if self._position is None else (position - self._position) / PERIOD
        inside = ((position >= LOW - _ROUNDING) & (position <= HIGH + _ROUNDING)).all()
        if stopped:
            velocity = np.zeros(9)
        share = float((np.abs(velocity - self._velocity) / (ACCELERATION * PERIOD)).max())
        fast = (np.abs(velocity) > SPEED + _ROUNDING).any()
        self.violations += not inside or bool(fast) or not self._kinematics.reaches(command)
        if not stopped:
            self.jumps += share > 1.0 + _ROUNDING
            self.acceleration = max(self.acceleration, share)
        self._position, self._velocity = position, velocity
