"""Where a face is in space, from how large it looks, and where it would appear."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.vision.bearing import pixel_of, ray_through
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import Box
from reachy_agent_ros.vision.eye import HEAD_FROM_OPTICAL

FACE_HEIGHT = 0.2
"""Of a grown person from hairline to chin, m, good to a fifth. Directions hardly depend on it."""

_NEAREST_DEPTH = 0.05
"""m; what is nearer to the eye, or behind it, is not projected."""


def face_position(box: Box, intrinsics: Intrinsics, head: Matrix) -> Vector:
    """Middle of a face, m in `head_base`.

    Args:
        box: In the picture; it must have an area.
        intrinsics: Of the picture.
        head: 4x4 transform of `head` in `head_base` when the picture was taken, m.
    """
    depth = intrinsics.focal_length * FACE_HEIGHT / (box.y1 - box.y0)
    ray = ray_through(box.centre, intrinsics)
    point = np.append(ray * (depth / ray[2]), 1.0)
    return np.asarray((head @ HEAD_FROM_OPTICAL @ point)[:3])


def face_box(position: Vector, aspect: float, intrinsics: Intrinsics, head: Matrix) -> Box | None:
    """Where a face would appear, also outside the picture.

    Args:
        position: Of its middle, m in `head_base`.
        aspect: Its width as a part of its height.
        intrinsics: Of the picture.
        head: 4x4 transform of `head` in `head_base`, m.

    Returns:
        Its box; None where it is not in front of the eye.
    """
    point = np.linalg.inv(head @ HEAD_FROM_OPTICAL) @ np.append(position, 1.0)
    pixel = pixel_of(point[:3], intrinsics)
    if pixel is None or point[2] < _NEAREST_DEPTH:
        return None
    height = intrinsics.focal_length * FACE_HEIGHT / float(point[2])
    (u, v), width = pixel, aspect * height
    return Box(u - width / 2.0, v - height / 2.0, u + width / 2.0, v + height / 2.0)
