"""The posture that a tool asks for, in the fields that goals and targets of the bridge have in common."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import Pose

from reachy_agent_ros.ros.rclpy_ext.convert import pose_message
from reachy_agent_ros.tools.body import PoseMotion


def pose_fields(motion: PoseMotion) -> dict[str, Any]:
    """For an `ExecuteMotion.Goal` or a `MotionTarget`; what the motion leaves alone is not set."""
    right, left = motion.antennas or (0.0, 0.0)
    return {
        "set_head": motion.head is not None,
        "head_pose": Pose() if motion.head is None else pose_message(motion.head),
        "set_antennas": motion.antennas is not None,
        "antenna_right": right,
        "antenna_left": left,
        "set_body": motion.body_yaw is not None,
        "body_yaw": motion.body_yaw or 0.0,
    }
