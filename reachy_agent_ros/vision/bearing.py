"""Pixels and directions, through a pinhole."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.vision.camera import Intrinsics


def ray_through(pixel: tuple[float, float], intrinsics: Intrinsics) -> Vector:
    """Direction that a pixel looks in, in `camera_optical`: a unit vector.

    Args:
        pixel: Column and row from the upper left corner of the upper left pixel; outside the picture is allowed.
        intrinsics: Of the picture.
    """
    (u, v), (cx, cy) = pixel, intrinsics.centre
    ray = np.array([u - cx, v - cy, intrinsics.focal_length])
    return np.asarray(ray / np.linalg.norm(ray))


def pixel_of(point: Vector, intrinsics: Intrinsics) -> tuple[float, float] | None:
    """Where a point appears, also where that is outside the picture.

    Args:
        point: x, y, z in `camera_optical`, m, or a direction of any length.
        intrinsics: Of the picture.

    Returns:
        Column and row; None where the point is not in front of the camera.
    """
    x, y, z = (float(value) for value in point)
    if z <= 0.0:
        return None
    cx, cy = intrinsics.centre
    return cx + intrinsics.focal_length * x / z, cy + intrinsics.focal_length * y / z


def bearing(pixel: tuple[float, float], intrinsics: Intrinsics, camera: Matrix) -> Vector:
    """Direction that a pixel looks in, in `base_link`: a unit vector.

    Args:
        pixel: As for `ray_through`.
        intrinsics: Of the picture.
        camera: 4x4 transform of `camera_optical` in `base_link` when the picture was taken.
    """
    return np.asarray(camera[:3, :3] @ ray_through(pixel, intrinsics))
