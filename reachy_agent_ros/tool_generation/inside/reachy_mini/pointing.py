"""Head poses that look at something, by the SDK's convention: the head's x axis points there, by the shortest turn."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

HEAD_FROM_CAMERA = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Orientation of the camera (x right, y down, z along the view) in the head."""


def pose_towards(direction: Array) -> Array:
    """4x4 transform of a head at its neutral place whose x axis points along a direction (Rodrigues' formula)."""
    pose = np.eye(4)
    length = float(np.linalg.norm(direction))
    if length < 1e-12:
        return pose
    x, y, z = direction / length
    if x < -1.0 + 1e-9:  # straight behind: about which axis is open, so upright
        pose[:3, :3] = np.diag([-1.0, -1.0, 1.0])
        return pose
    cross = np.array([[0.0, -y, -z], [y, 0.0, 0.0], [z, 0.0, 0.0]])
    pose[:3, :3] += cross + cross @ cross / (1.0 + x)
    return pose


def ray_through(u: float, v: float, width: int, height: int, focal_length: float) -> Array:
    """Direction, in the head, that a pixel of a picture looks in.

    Args:
        u: Column from the left edge.
        v: Row from the upper edge.
        width: Of the picture, pixels.
        height: The same.
        focal_length: The same.
    """
    return np.asarray(HEAD_FROM_CAMERA @ np.array([u - width / 2.0, v - height / 2.0, focal_length]))
