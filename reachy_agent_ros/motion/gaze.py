"""Computes the orientation of the head that centers a point in the camera image."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import BASE_FRAME, HEAD_BASE_FRAME, HEAD_BASE_HEIGHT
from reachy_agent_ros.core.pose import Matrix, Vector, head_transform, rpy_from_matrix

EYE_HEIGHT = 0.0525
"""Height of the camera above the origin of `head`, m. The camera looks along x, so its x is irrelevant."""

NEAREST = 0.1
"""Minimum distance of a point from the head's origin, m: nearer points are inside the head."""

_HEIGHTS = {BASE_FRAME: HEAD_BASE_HEIGHT, HEAD_BASE_FRAME: 0.0}


def gaze_at(point: Vector, frame: str) -> Matrix:
    """Computes the head orientation that centers a point in the image.

    The head is at its neutral position and does not roll.

    Args:
        point: x, y, z, m.
        frame: `base_link` or `head_base`.

    Returns:
        4x4 transform of `head` in `head_base`, m.

    Raises:
        AgentError: `INVALID_GOAL` for another frame, `NOT_FINITE`, or `OUT_OF_ENVELOPE` for a point behind the robot or
            inside its head.
    """
    ahead = _from_head_base(point, frame)
    if ahead[0] <= 0.0:
        message = f"The point is behind the robot: x is {ahead[0]:.2f} m, but must be positive."
        raise AgentError(ErrorCode.OUT_OF_ENVELOPE, message)
    return turn_towards(ahead)


def direction_of(point: Vector, frame: str) -> tuple[float, float]:
    """Computes the direction of a point, which may be behind the robot.

    Args:
        point: x, y, z, m.
        frame: `base_link` or `head_base`.

    Returns:
        Yaw and pitch (rad) of a head at its neutral position that centers the point in the image.

    Raises:
        AgentError: The errors of `gaze_at`, except for a point behind the robot.
    """
    _, pitch, yaw = rpy_from_matrix(turn_towards(_from_head_base(point, frame)))
    return yaw, pitch


def _from_head_base(point: Vector, frame: str) -> Vector:
    """Checks a point and returns its position in `head_base`, m."""
    if frame not in _HEIGHTS:
        message = f"Invalid frame {frame!r}: expected {' or '.join(_HEIGHTS)}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    x, y, z = (float(value) for value in point)
    if not np.isfinite(point).all():
        raise AgentError(ErrorCode.NOT_FINITE, "The point to look at contains a number that is not finite.")
    z -= _HEIGHTS[frame]
    distance = math.hypot(x, y, z)
    if distance < NEAREST:
        raise AgentError(ErrorCode.OUT_OF_ENVELOPE, f"Point too close: {distance:.2f} m, minimum {NEAREST} m.")
    return np.array([x, y, z])


def turn_towards(point: Vector) -> Matrix:
    """Computes the head rotation without roll that points the optical axis at a point.

    The head turns about the origin of its frame.

    Args:
        point: x, y, z in the frame of the head before the turn, m. The result is exact for distances of at least
            `NEAREST`.

    Returns:
        4x4 transform of the turned head in that frame.
    """
    x, y, z = (float(value) for value in point)
    distance = max(math.hypot(x, y, z), NEAREST)
    # In the head's vertical plane, the axis passes the origin at a height of EYE_HEIGHT, so this parallax is
    # subtracted.
    elevation = math.asin(z / distance) - math.asin(EYE_HEIGHT / distance)
    return head_transform(pitch=-elevation, yaw=math.atan2(y, x))
