"""Conversion between a posture and nine independent coordinates, each with its own limits.

In this order, they are the head's translation (x, y, z) and its roll, pitch and yaw, all in the frame of the turning
body; the body's yaw; and the two antennas. If only the body yaw changes, the head turns with the body. Roll, pitch and
yaw have no singularity here, because the pitch of the head never reaches 90 degrees.
"""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector, head_transform, rpy_from_matrix, wrap_angle

NAMES = (
    *("head.x", "head.y", "head.z", "head.roll", "head.pitch", "head.yaw"),
    *("body_yaw", "antenna_right", "antenna_left"),
)
"""Names of the coordinates in reports. The first three are in m, the others in rad. `head.yaw` is relative to the
body."""

TRANSLATION = slice(0, 3)
ANGLES = slice(3, 6)
TILT = slice(3, 5)
HEAD_PITCH = 4
HEAD_YAW = 5
BODY_YAW = 6
ANTENNAS = slice(7, 9)

_HUGE = 1e9
"""Magnitude above which numbers count as infinite, because arithmetic with them could overflow."""


def coordinates(pose: BodyPose) -> Vector:
    """Returns the nine coordinates of a posture, in the order of `NAMES`."""
    roll, pitch, yaw = rpy_from_matrix(pose.head)
    x, y, z = pose.head[:3, 3].tolist()
    cosine, sine = math.cos(pose.body_yaw), math.sin(pose.body_yaw)
    ahead, aside, neck = cosine * x + sine * y, cosine * y - sine * x, wrap_angle(yaw - pose.body_yaw)
    return np.array([ahead, aside, z, roll, pitch, neck, pose.body_yaw, pose.antenna_right, pose.antenna_left])


def finite_coordinates(pose: BodyPose) -> Vector | None:
    """Returns the nine coordinates of an unchecked posture, or None if a number of the posture is not finite."""
    numbers = (*pose.head.ravel().tolist(), pose.body_yaw, pose.antenna_right, pose.antenna_left)
    if not math.isfinite(sum(numbers)) or not -_HUGE < min(numbers) <= max(numbers) < _HUGE:
        return None
    return coordinates(pose)


def usable(values: Vector) -> bool:
    """Returns whether unchecked coordinates are all finite and small enough for calculations."""
    return bool((np.abs(values) < _HUGE).all())  # a comparison with NaN is false


def posture(values: Vector) -> BodyPose:
    """Returns the posture with the given nine coordinates."""
    x, y, z, roll, pitch, yaw, body_yaw, antenna_right, antenna_left = np.asarray(values, dtype=float).tolist()
    cosine, sine = math.cos(body_yaw), math.sin(body_yaw)
    head = head_transform(roll, pitch, body_yaw + yaw, cosine * x - sine * y, sine * x + cosine * y, z)
    return BodyPose(head, antenna_right, antenna_left, body_yaw)
