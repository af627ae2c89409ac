"""Checks the commands of the safety gate independently of the gate."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates
from reachy_agent_ros.robot.gate import LONGEST_STEP
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.workspace import Workspace

_ROUNDING = 1e-5
"""Rounding error of a speed computed from two postures, rad/s or m/s; the rounding error of the postures is smaller."""


class CommandWatch:
    """Checks the guarantees of the safety gate, based only on the commands of a loop.

    Attributes:
        violations: Number of commands that are not finite, or outside the envelope, its speed limits or the workspace.
        jumps: Number of velocity changes beyond the acceleration limit. The first command of an emergency stop, which
            ends all motion immediately, does not count.
        acceleration: Greatest acceleration so far, as a fraction of its limit.
    """

    def __init__(self) -> None:
        self.violations = 0
        self.jumps = 0
        self.acceleration = 0.0
        self._workspace = Workspace.outermost()
        self._reach = Workspace.reach()
        self._position: Vector | None = None
        self._velocity = np.zeros(9)

    def see(self, command: BodyPose | None, dt: float, stopped: bool) -> None:
        """Checks the command of one period.

        Args:
            command: Commanded posture; None while the motors are off.
            dt: Length of the period, s.
            stopped: Whether the emergency stop is active.
        """
        if command is None or not np.isfinite(command.head).all():
            self.violations += command is not None
            self.forget()
            return
        position = coordinates(command)
        period = min(dt, LONGEST_STEP)
        velocity = self._velocity if self._position is None else (position - self._position) / period
        inside = ((position >= LOW - _ROUNDING) & (position <= HIGH + _ROUNDING)).all()
        if stopped:
            velocity = np.zeros(9)
        change = np.maximum(np.abs(velocity - self._velocity) - _ROUNDING, 0.0)
        share = float((change / (ACCELERATION * period)).max())
        fast = (np.abs(velocity) > SPEED + _ROUNDING).any()
        self.violations += not inside or bool(fast) or not self._is_allowed(position, stopped)
        if not stopped:
            self.jumps += share > 1.0
            self.acceleration = max(self.acceleration, share)
        self._position, self._velocity = position, velocity

    def _is_allowed(self, position: Vector, stopped: bool) -> bool:
        """Returns whether a commanded position is permitted.

        Outside the workspace, a position within reach of the arms is permitted if it is the first one, if the robot is
        stopped, or if the robot is on its way back.
        """
        if self._workspace.holds(position):
            return True
        if not self._reach.holds(position):
            return False
        before = self._position
        return stopped or before is None or (not self._workspace.holds(before) and _is_nearer(position, before))

    def forget(self) -> None:
        """Deletes the last command, because the robot is no longer in the commanded posture."""
        self._position, self._velocity = None, np.zeros(9)


def _is_nearer(position: Vector, before: Vector) -> bool:
    """Returns whether no coordinate of the head is further from neutral than before."""
    return bool((np.abs(position[:BODY_YAW]) <= np.abs(before[:BODY_YAW]) + _ROUNDING).all())
