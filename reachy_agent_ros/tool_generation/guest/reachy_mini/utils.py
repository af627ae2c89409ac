"""Computes head poses from angles and shifts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["create_head_pose"]


def create_head_pose(
    x: float = 0,
    y: float = 0,
    z: float = 0,
    roll: float = 0,
    pitch: float = 0,
    yaw: float = 0,
    mm: bool = False,
    degrees: bool = True,
) -> np.ndarray[Any, Any]:
    """Returns the pose of the head relative to the neutral pose.

    Args:
        x: Forward, m, or mm with `mm`.
        y: To the left.
        z: Up.
        roll: Degrees, or rad without `degrees`; positive tilts to the robot's right.
        pitch: Positive looks down.
        yaw: Positive looks left.
        mm: Whether the shifts are in millimeters.
        degrees: Whether the angles are in degrees.

    Returns:
        4x4 homogeneous transform, m.
    """
    angles = [math.radians(angle) if degrees else float(angle) for angle in (roll, pitch, yaw)]
    pose = np.eye(4)
    pose[:3, :3] = _turn(2, angles[2]) @ _turn(1, angles[1]) @ _turn(0, angles[0])
    pose[:3, 3] = np.array([x, y, z], dtype=float) / (1000.0 if mm else 1.0)
    return pose


def _turn(axis: int, angle: float) -> np.ndarray[Any, Any]:
    """Returns the 3x3 rotation matrix for a rotation about x, y or z."""
    first, second = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[first, first] = turn[second, second] = math.cos(angle)
    turn[second, first] = math.sin(angle)
    turn[first, second] = -math.sin(angle)
    return turn
