"""Postures of the robot, and rotations and transforms.

Frames follow REP-103: x forward, y left, z up. The head's pose is that of the frame `head` in `head_base`, which is
fixed to the robot's base at the neutral head's origin, so body yaw does not change it. Quaternions are (x, y, z, w).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

RIGIDITY_TOLERANCE = 1e-2
"""Maximum deviation of R^T R from the identity: a quaternion with three decimals passes, one with norm 0.5 does not."""


@dataclass(frozen=True)
class BodyPose:
    """Posture of the robot: head, antennas and body yaw.

    Attributes:
        head: 4x4 homogeneous transform of `head` in `head_base`, translation in m.
        antenna_right: Angle of the right antenna, rad; 0 is upright, positive leans to the robot's left.
        antenna_left: Angle of the left antenna, rad; 0 is upright, positive leans to the robot's left.
        body_yaw: Yaw of the body, rad, positive to the left.
    """

    head: Matrix = field(default_factory=lambda: np.eye(4))
    antenna_right: float = 0.0
    antenna_left: float = 0.0
    body_yaw: float = 0.0


def head_transform(
    roll: float = 0.0, pitch: float = 0.0, yaw: float = 0.0, x: float = 0.0, y: float = 0.0, z: float = 0.0
) -> Matrix:
    """Returns a head transform from fixed-axis roll, pitch and yaw (rad) and a translation (m)."""
    first, second, third = _rotation(roll, pitch, yaw)
    return np.array((*first, x, *second, y, *third, z, 0.0, 0.0, 0.0, 1.0)).reshape(4, 4)


def matrix_from_rpy(roll: float, pitch: float, yaw: float) -> Matrix:
    """Returns the 3x3 rotation Rz(yaw) Ry(pitch) Rx(roll) for angles in rad (REP-103 fixed axes)."""
    return np.array(_rotation(roll, pitch, yaw))


def _rotation(roll: float, pitch: float, yaw: float) -> tuple[tuple[float, float, float], ...]:
    """Returns the rows of the rotation matrix for fixed-axis angles (rad)."""
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def is_rotation(matrix: Matrix) -> bool:
    """Returns whether a 3x3 matrix is a rotation. Deviations up to `RIGIDITY_TOLERANCE` are accepted."""
    if not np.abs(matrix).max() <= 1.0 + RIGIDITY_TOLERANCE:
        return False  # also prevents an overflow of the squares
    deviation = np.abs(matrix.T @ matrix - np.eye(3)).max()
    return bool(deviation <= RIGIDITY_TOLERANCE and np.linalg.det(matrix) > 0.0)


def rpy_from_matrix(rotation: Matrix) -> tuple[float, float, float]:
    """Returns the roll, pitch and yaw (rad) of a 3x3 rotation or 4x4 transform. At +-90 deg pitch, the roll is 0."""
    first, second, third, *_ = rotation.tolist()
    horizontal = math.hypot(first[0], second[0])
    pitch = math.atan2(-third[0], horizontal)
    if horizontal < 1e-9:
        return 0.0, pitch, math.atan2(-first[1], second[1])
    return math.atan2(third[1], third[2]), pitch, math.atan2(second[0], first[0])


def quaternion_from_matrix(rotation: Matrix) -> Vector:
    """Returns the unit quaternion (x, y, z, w) of a 3x3 rotation or 4x4 transform, with w >= 0 (Shepperd's method)."""
    (xx, xy, xz, *_), (yx, yy, yz, *_), (zx, zy, zz, *_), *_ = rotation.tolist()
    trace = xx + yy + zz
    if trace >= max(xx, yy, zz):
        q = (zy - yz, xz - zx, yx - xy, 1.0 + trace)
    elif xx >= max(yy, zz):
        q = (1.0 + 2.0 * xx - trace, yx + xy, zx + xz, zy - yz)
    elif yy >= zz:
        q = (yx + xy, 1.0 + 2.0 * yy - trace, zy + yz, xz - zx)
    else:
        q = (zx + xz, zy + yz, 1.0 + 2.0 * zz - trace, yx - xy)
    return np.array(q) / math.copysign(math.hypot(*q), q[3])


def matrix_from_quaternion(quaternion: Vector) -> Matrix:
    """Returns the 3x3 rotation of a unit quaternion (x, y, z, w)."""
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def orthonormal(transform: Matrix) -> Matrix:
    """Returns a 4x4 transform with its rotation made orthonormal, which removes errors of iteration or transmission."""
    result = transform.copy()
    result[:3, :3] = matrix_from_quaternion(quaternion_from_matrix(transform))
    return result


def rotation_vector(rotation: Matrix) -> Vector:
    """Returns the rotation vector (axis times angle, 0 to pi rad) of a 3x3 rotation or 4x4 transform."""
    x, y, z, w = quaternion_from_matrix(rotation)
    axis = np.array([x, y, z])
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        return np.zeros(3)
    return axis * (2.0 * math.atan2(sine, w) / sine)


def matrix_from_rotation_vector(vector: Vector) -> Matrix:
    """Returns the 3x3 rotation for a rotation vector, whose length is the angle (rad)."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-12:
        return np.eye(3)
    axis = np.asarray(vector) / angle
    return matrix_from_quaternion(np.append(axis * math.sin(angle / 2), math.cos(angle / 2)))


def angle_between(first: Matrix, second: Matrix) -> float:
    """Returns the angle (0 to pi rad) between two orientations."""
    return float(np.linalg.norm(rotation_vector(first[:3, :3].T @ second[:3, :3])))


def interpolate(start: Matrix, end: Matrix, fraction: float) -> Matrix:
    """Interpolates between two 4x4 transforms along a straight line and the shortest rotation. `fraction` is 0 to 1."""
    result = np.eye(4)
    turn = rotation_vector(start[:3, :3].T @ end[:3, :3])
    result[:3, :3] = start[:3, :3] @ matrix_from_rotation_vector(turn * fraction)
    result[:3, 3] = (1.0 - fraction) * start[:3, 3] + fraction * end[:3, 3]
    return result


def wrap_angle(angle: float) -> float:
    """Returns the equivalent angle (rad) in the interval (-pi, pi]."""
    wrapped = math.remainder(angle, 2.0 * math.pi)
    return math.pi if wrapped == -math.pi else wrapped
