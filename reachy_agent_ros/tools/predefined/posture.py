"""The body's posture in the words of people and language models: degrees and millimetres."""

from __future__ import annotations

import math
from typing import Any

from reachy_agent_ros.core.pose import BodyPose, Matrix, rpy_from_matrix
from reachy_agent_ros.tools.body import MotionResult

SIGNS = "Positive roll_deg tilts the head to its right, positive pitch_deg looks down, positive yaw_deg looks left."
"""Said wherever head angles are, because language models get signs wrong."""


def head_in_degrees(head: Matrix) -> dict[str, float]:
    """Orientation in degrees and shift from neutral in mm of a 4x4 transform of `head` in `head_base`."""
    roll, pitch, yaw = (round(math.degrees(angle), 1) for angle in rpy_from_matrix(head))
    x, y, z = (round(float(shift) * 1000.0, 1) for shift in head[:3, 3])
    return {"roll_deg": roll, "pitch_deg": pitch, "yaw_deg": yaw, "x_mm": x, "y_mm": y, "z_mm": z}


def posture_in_degrees(pose: BodyPose) -> dict[str, Any]:
    """The whole posture."""
    return {
        "head": head_in_degrees(pose.head),
        "body_yaw_deg": round(math.degrees(pose.body_yaw), 1),
        "antenna_right_deg": round(math.degrees(pose.antenna_right), 1),
        "antenna_left_deg": round(math.degrees(pose.antenna_left), 1),
    }


def motion_in_degrees(result: MotionResult) -> dict[str, Any]:
    """Measured posture after a motion, and what the safety gate changed about it."""
    return {"measured": posture_in_degrees(result.pose), "limited": list(result.clamped)}
