"""Stewart platform that carries the head: arm angles and sag of the head. Processes many postures at once.

Six arms, each turned by a motor, hold the head by six rods. The geometry is that of the `reachy_mini` package, as in
`robot/kinematics.py`. Masses and stiffness are those of the manufacturer's MuJoCo model. No real robot was measured.
Source of the method: J.-P. Merlet, "Parallel Robots", second edition, Springer 2006.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.robot.description import platform_geometry

HEAD_MASS = 0.2804
"""Mass of the head with its antennas, kg."""

HEAD_CENTER = np.array([0.0, -0.0009, 0.0557])
"""Center of mass in the frame `head`, m."""

ROD_MASS = 0.0050
"""Mass of one rod, kg; the head carries half of it."""

STIFFNESS = 10.0
"""Stiffness of a motor: torque per radian between its arm and its command, N m/rad."""

GRAVITY = 9.81
"""Gravitational acceleration, m/s^2."""

_ARMS = 6


@dataclass(frozen=True)
class HeldHeads:
    """Heads and the arms that hold them.

    Attributes:
        heads: Transforms of `head` relative to neutral in the frame of the body, m; shape (n, 4, 4).
        rod_ends: Ends of the rods at the head, each in the frame of its motor, m; shape (n, 6, 3).
        arms: Angles of the arms, rad; shape (n, 6). An angle is NaN if the arm cannot reach the head.
    """

    heads: Matrix
    rod_ends: Matrix
    arms: Matrix


class StewartPlatform:
    """Computes arm angles and sag of the platform, without state between calls."""

    def __init__(self) -> None:
        geometry = platform_geometry()
        motors = geometry["motors"]
        frames = np.array([motor["T_motor_world"] for motor in motors])
        self._arm, self._rod = float(geometry["motor_arm_length"]), float(geometry["rod_length"])
        self._signs = np.array([1.0 if motor["solution"] else -1.0 for motor in motors])
        holds = np.array([motor["branch_position"] for motor in motors])
        self._rotations = frames[:, :3, :3]
        # The rod ends at the head, in the frame of each motor, depend linearly on the transform of the head, so one
        # matrix product computes the rod ends for many heads.
        turned = np.einsum("kil,kj->ljki", self._rotations, holds).reshape(9, 3 * _ARMS)
        shifted = self._rotations.transpose(2, 0, 1).reshape(3, 3 * _ARMS)
        self._ends = np.concatenate([turned, shifted])
        self._neutral = frames[:, :3, 3].ravel() + geometry["head_z_offset"] * shifted[2]
        self._weight = GRAVITY * (HEAD_MASS + ROD_MASS / 2.0 * _ARMS)
        lever = GRAVITY * (HEAD_MASS * HEAD_CENTER + ROD_MASS / 2.0 * holds.sum(axis=0))
        # Cross products with constant vectors, as matrices.
        self._moments = np.cross(holds[:, None], np.eye(3)).swapaxes(1, 2)
        self._levers = np.cross(lever, np.eye(3))

    def hold(self, heads: Matrix) -> HeldHeads:
        """Computes the arms that hold each head. See `HeldHeads` for the argument."""
        rows = np.concatenate([heads[:, :3, :3].reshape(-1, 9), heads[:, :3, 3]], axis=1)
        ends = (rows @ self._ends + self._neutral).reshape(-1, _ARMS, 3)
        return HeldHeads(heads, ends, self._angles(ends))

    def sag(self, held: HeldHeads) -> Vector:
        """Returns the angle (rad) by which each head turns under its own weight, shape (n,).

        The angle is NaN or infinity if the arms cannot hold the head. If the platform is exactly singular for one of
        the heads, all angles are infinity.

        The motors are modeled as springs. The weight turns the arms by a degree or less, but near a singularity of the
        platform, the head turns many times as far. The result is a first-order approximation with the leverage of the
        commanded posture. For example, the result is 1.6 deg for a head that settles with an error of 2 deg.
        """
        ends = held.rod_ends
        cosines, sines = np.cos(held.arms), np.sin(held.arms)
        gains = self._arm * (cosines * ends[..., 1] - sines * ends[..., 0])
        rods = ends.copy()  # vectors from the ends of the arms
        rods[..., 0] -= self._arm * cosines
        rods[..., 1] -= self._arm * sines
        # From here on, all vectors are in the frame of the head, in which the rod ends at the head are constant.
        rotations = held.heads[:, :3, :3]
        directions = np.einsum("nki,kij->nkj", rods, self._rotations) @ rotations
        # Row k times a small motion of the head (shift and rotation) is the gain of arm k times the rotation of that
        # arm.
        rows = np.concatenate([directions, np.einsum("kij,nkj->nki", self._moments, directions)], axis=2)
        try:
            inverse = np.linalg.inv(rows)
        except np.linalg.LinAlgError:  # one of the matrices is exactly singular
            return np.full(len(ends), np.inf)
        down = -rotations[:, 2]
        wrenches = np.concatenate([self._weight * down, down @ self._levers], axis=1)
        yields = gains * gains / STIFFNESS * (wrenches[:, None] @ inverse)[:, 0]
        turns = (inverse[:, 3:] @ yields[:, :, None])[:, :, 0]
        return np.asarray(np.sqrt((turns * turns).sum(axis=1)))

    def _angles(self, ends: Matrix) -> Matrix:
        """Returns the arm angles (rad) at which each rod reaches from its arm to the head, shape (n, 6)."""
        squares = np.einsum("nki,nki->nk", ends, ends)
        flat = np.hypot(ends[..., 0], ends[..., 1])
        cosines = (squares + self._arm**2 - self._rod**2) / (2.0 * self._arm * flat)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.arctan2(ends[..., 1], ends[..., 0]) + self._signs * np.arccos(cosines))
