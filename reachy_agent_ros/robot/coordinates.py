"""A posture as nine independent numbers, so that every limit is a bound on one of them.

The head is taken in the frame of the turning body: its translation, its roll, pitch and yaw, then the body's own yaw
and the two antennas. Turning the body alone thus carries the head along, and the neck's twist is a number of its own.
Roll, pitch and yaw are regular here because the head never pitches as far as 90 degrees.
"""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector, head_transform, rpy_from_matrix, wrap_angle

NAMES = (
    *("head.x", "head.y", "head.z", "head.roll", "head.pitch", "head.yaw"),
    *("body_yaw", "antenna_right", "antenna_left"),
)
"""What each coordinate is called in reports; m for the first three, then rad. `head.yaw` counts from the body."""

TRANSLATION = slice(0, 3)
ANGLES = slice(3, 6)
TILT = slice(3, 5)
HEAD_PITCH = 4
HEAD_YAW = 5
BODY_YAW = 6
ANTENNAS = slice(7, 9)

_HUGE = 1e9
"""Numbers beyond are as good as infinite: arithmetic with them overflows."""


def coordinates(pose: BodyPose) -> Vector:
    """The nine coordinates of a posture, in the order of `NAMES`."""
    roll, pitch, yaw = rpy_from_matrix(pose.head)
    x, y, z = pose.head[:3, 3].tolist()
    cosine, sine = math.cos(pose.body_yaw), math.sin(pose.body_yaw)
    ahead, aside, neck = cosine * x + sine * y, cosine * y - sine * x, wrap_angle(yaw - pose.body_yaw)
    return np.array([ahead, aside, z, roll, pitch, neck, pose.body_yaw, pose.antenna_right, pose.antenna_left])


def finite_coordinates(pose: BodyPose) -> Vector | None:
    """The nine coordinates of a posture nobody has checked; None where a number in it is not finite."""
    numbers = (*pose.head.ravel().tolist(), pose.body_yaw, pose.antenna_right, pose.antenna_left)
    if not math.isfinite(sum(numbers)) or not -_HUGE < min(numbers) <= max(numbers) < _HUGE:
        return None
    return coordinates(pose)


def usable(values: Vector) -> bool:
    """Whether coordinates that nobody has checked are numbers to compute with."""
    return bool((np.abs(values) < _HUGE).all())  # a comparison with what is no number is false


def posture(values: Vector) -> BodyPose:
    """The posture with these nine coordinates."""
    x, y, z, roll, pitch, yaw, body_yaw, antenna_right, antenna_left = np.asarray(values, dtype=float).tolist()
    cosine, sine = math.cos(body_yaw), math.sin(body_yaw)
    head = head_transform(roll, pitch, body_yaw + yaw, cosine * x - sine * y, sine * x + cosine * y, z)
    return BodyPose(head, antenna_right, antenna_left, body_yaw)
