"""Where the robot's eye is, and how the space before it becomes a picture."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.names import HEAD_BASE_HEIGHT
from reachy_agent_ros.core.pose import Matrix

HEAD_FROM_OPTICAL = np.array(
    [
        [0.0, 0.0, 1.0, 0.0395],
        [-1.0, 0.0, 0.0, 0.0],
        [0.0, -1.0, 0.0, 0.0525],
        [0.0, 0.0, 0.0, 1.0],
    ]
)
"""Pose of `camera_optical` (x right, y down, z along the view: REP-103) in `head`, m, as the robot's MJCF has it."""

_BASE_FROM_HEAD_BASE = np.eye(4)
_BASE_FROM_HEAD_BASE[2, 3] = HEAD_BASE_HEIGHT


def camera_pose(head: Matrix) -> Matrix:
    """4x4 transform of `camera_optical` in `base_link`, m, of a head pose in `head_base`."""
    pose: Matrix = _BASE_FROM_HEAD_BASE @ head @ HEAD_FROM_OPTICAL
    return pose
