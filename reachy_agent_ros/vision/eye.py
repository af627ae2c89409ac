"""Geometry of the robot's camera: its pose, its mounting, and the directions of its pixels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import HEAD_BASE_HEIGHT
from reachy_agent_ros.core.pose import Matrix, Vector, matrix_from_rpy

if TYPE_CHECKING:
    from reachy_agent_ros.vision.camera import Intrinsics

HEAD_FROM_OPTICAL = np.array(
    [
        [0.0, 0.0, 1.0, 0.0395],
        [-1.0, 0.0, 0.0, 0.0],
        [0.0, -1.0, 0.0, 0.0525],
        [0.0, 0.0, 0.0, 1.0],
    ]
)
"""Pose of `camera_optical` (x right, y down, z along the view: REP-103) in `head`, m, as in the robot's MJCF."""

_MOST_TURNED = 0.5
"""Maximum angle of a mounting, rad; a camera that is turned further is mounted incorrectly."""

_BASE_FROM_HEAD_BASE = np.eye(4)
_BASE_FROM_HEAD_BASE[2, 3] = HEAD_BASE_HEIGHT


def camera_pose(head: Matrix) -> Matrix:
    """Returns the pose of `camera_optical` in `base_link` (4x4 matrix, m) for a pose of the head in `head_base`."""
    pose: Matrix = _BASE_FROM_HEAD_BASE @ head @ HEAD_FROM_OPTICAL
    return pose


def ray_through(pixel: tuple[float, float], intrinsics: Intrinsics) -> Vector:
    """Returns the direction of a pixel as a unit vector in `camera_optical`.

    Args:
        pixel: Column and row from the upper left corner of the upper left pixel, possibly outside the image.
        intrinsics: Intrinsics of the image.
    """
    (u, v), (cx, cy) = pixel, intrinsics.center
    ray = np.array([u - cx, v - cy, intrinsics.focal_length])
    return np.asarray(ray / np.linalg.norm(ray))


def pixel_of(point: Vector, intrinsics: Intrinsics) -> tuple[float, float] | None:
    """Projects a point to a pixel. The pixel may be outside the image.

    Args:
        point: x, y, z in `camera_optical`, m, or a direction of any length.
        intrinsics: Intrinsics of the image.

    Returns:
        Column and row; None if the point is not in front of the camera.
    """
    x, y, z = (float(value) for value in point)
    if z <= 0.0:
        return None
    cx, cy = intrinsics.center
    return cx + intrinsics.focal_length * x / z, cy + intrinsics.focal_length * y / z


def bearing(pixel: tuple[float, float], intrinsics: Intrinsics, camera: Matrix) -> Vector:
    """Returns the direction of a pixel as a unit vector in `base_link`.

    Args:
        pixel: Column and row, as for `ray_through`.
        intrinsics: Intrinsics of the image.
        camera: 4x4 transform of `camera_optical` in `base_link` at the time of the image, m.
    """
    return np.asarray(camera[:3, :3] @ ray_through(pixel, intrinsics))


class Mounting(NamedTuple):
    """Rotation of a real robot's camera relative to the camera of the model, about the axes of the head.

    Attributes:
        roll: Roll, rad, positive to the camera's right.
        pitch: Pitch, rad, positive down.
        yaw: Yaw, rad, positive to the camera's left.
    """

    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Mounting:
        """Parses `ROLL,PITCH,YAW` (rad). An empty text means no rotation.

        Raises:
            AgentError: `INVALID_ARGUMENTS` for any other text, or an angle beyond 0.5 rad.
        """
        try:
            found = cls(*map(float, text.split(","))) if text else cls()
        except (ValueError, TypeError):
            found = cls(math.nan)
        if not all(abs(angle) <= _MOST_TURNED for angle in found) or (text and text.count(",") != 2):
            message = (
                f"Invalid camera mounting {text!r:.60}: expected ROLL,PITCH,YAW, each at most {_MOST_TURNED:g} rad."
            )
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        return found

    def head(self, head: Matrix) -> Matrix:
        """Returns the head pose at which the model's camera would have the same view as the real camera.

        Args:
            head: 4x4 transform of `head` in `head_base` at the time of the image, m.
        """
        turn = np.eye(4)
        turn[:3, :3] = matrix_from_rpy(*self)
        turn[:3, 3] = (np.eye(3) - turn[:3, :3]) @ HEAD_FROM_OPTICAL[:3, 3]
        return np.asarray(head @ turn)


AS_IN_THE_MODEL = Mounting()
