"""How far towards a posture the arms reach."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.robot.coordinates import BODY_YAW, posture
from reachy_agent_ros.robot.envelope import HIGH, LOW
from reachy_agent_ros.robot.kinematics import BodyKinematics

_BISECTIONS = 10


def last_reached(kinematics: BodyKinematics, inside: Vector, wanted: Vector) -> Vector:
    """The last posture within reach on the straight way from one that is to another, found by bisection.

    Args:
        kinematics: Says what is within reach.
        inside: Coordinates of a posture within reach.
        wanted: Coordinates of the one that is wished for; returned as they are where they are within reach.
    """
    if kinematics.reaches(posture(wanted)):
        return wanted
    reached, beyond = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (reached + beyond) / 2.0
        if kinematics.reaches(posture(inside + middle * (wanted - inside))):
            reached = middle
        else:
            beyond = middle
    return np.asarray(inside + reached * (wanted - inside))


def nearest_reachable(kinematics: BodyKinematics, values: Vector) -> Vector:
    """These coordinates within the limits; a head beyond the arms' reach moves towards neutral until they reach it.

    Body and antennas are only clipped: the arms reach them wherever they are within their limits.
    """
    bounded = np.clip(values, LOW, HIGH)
    neutral = bounded.copy()
    neutral[:BODY_YAW] = 0.0
    return last_reached(kinematics, neutral, bounded)
