"""Postures in degrees and millimeters, as users and language models see them, and argument fields in these units."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import Field

from reachy_agent_ros.core.pose import BodyPose, Matrix, rpy_from_matrix
from reachy_agent_ros.robot.pose_limits import ENVELOPE
from reachy_agent_ros.tools.body import MotionResult
from reachy_agent_ros.tools.heading import Heading

SIGNS = "Positive roll_deg tilts the head to its right, positive pitch_deg looks down, positive yaw_deg looks left."
"""Part of every description with head angles, because language models get signs wrong."""

DurationS = Annotated[
    float,
    Field(ge=0.0, le=10.0, description="Duration of the motion in seconds; 0 chooses a gentle speed."),
]
"""Argument `duration_s` of every motion."""


def head_in_degrees(head: Matrix) -> dict[str, float]:
    """Converts the 4x4 transform of `head` in `head_base` to orientation (degrees) and shift from neutral (mm)."""
    roll, pitch, yaw = (round(math.degrees(angle), 1) for angle in rpy_from_matrix(head))
    x, y, z = (round(float(shift) * 1000.0, 1) for shift in head[:3, 3])
    return {"roll_deg": roll, "pitch_deg": pitch, "yaw_deg": yaw, "x_mm": x, "y_mm": y, "z_mm": z}


def posture_in_degrees(pose: BodyPose) -> dict[str, Any]:
    """Returns the complete posture in degrees and millimeters."""
    return {
        "head": head_in_degrees(pose.head),
        "body_yaw_deg": round(math.degrees(pose.body_yaw), 1),
        "antenna_right_deg": round(math.degrees(pose.antenna_right), 1),
        "antenna_left_deg": round(math.degrees(pose.antenna_left), 1),
    }


def motion_in_degrees(result: MotionResult, heading: Heading) -> dict[str, Any]:
    """Returns the measured posture after a motion, with the head as seen from the front of the robot.

    The fields that the safety gate has limited are listed under "limited".
    """
    return {"measured": posture_in_degrees(heading.seen_from_front(result.pose)), "limited": list(result.clamped)}


def angle_field(coordinate: str, description: str, default: Any = ...) -> Any:
    """Returns an argument field in degrees for a coordinate of the envelope. A field without default is required."""
    return _field(coordinate, math.degrees(1.0), description, default)


def shift_field(coordinate: str, description: str, default: Any = ...) -> Any:
    """Returns an argument field in millimeters for a coordinate of the envelope. Required if it has no default."""
    return _field(coordinate, 1000.0, description, default)


def _field(coordinate: str, scale: float, description: str, default: Any) -> Any:
    limit = ENVELOPE[coordinate]
    return Field(default, ge=round(limit.low * scale, 6), le=round(limit.high * scale, 6), description=description)
