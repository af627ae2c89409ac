"""Turning the head to angles, or to a point."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.names import LOOK_AT, MOVE_HEAD
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.tools.body import GazeMotion, PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import SIGNS, DurationS, angle_field, motion_in_degrees, shift_field
from reachy_agent_ros.tools.tool import Tool, ToolSpecification
from reachy_agent_ros.vision.eye import camera_pose


class MoveHeadArguments(ToolArguments):
    """The head's pose; what is left out is neutral."""

    roll_deg: float = angle_field("head.roll", "Tilt in degrees; positive: right ear down.", 0.0)
    pitch_deg: float = angle_field(
        "head.pitch",
        "Degrees; positive looks DOWN, negative looks UP. At neutral height the head reaches about 34 down and 39 up; "
        "beyond that it is reduced, and the result lists it under limited.",
        0.0,
    )
    yaw_deg: float = Field(0.0, ge=-180.0, le=180.0, description="Degrees; positive looks LEFT, negative looks RIGHT.")
    x_mm: float = shift_field("head.x", "Shift forward of neutral, millimetres.", 0.0)
    y_mm: float = shift_field("head.y", "Shift left of neutral, millimetres.", 0.0)
    z_mm: float = shift_field("head.z", "Shift above neutral, millimetres.", 0.0)
    duration_s: DurationS = 0.0


class LookAtArguments(ToolArguments):
    """A point in front of the robot."""

    x_m: float = Field(ge=0.05, le=10.0, description="Metres in front of the robot's foot.")
    y_m: float = Field(ge=-10.0, le=10.0, description="Metres to the side; positive is the robot's LEFT.")
    z_m: float = Field(
        ge=-5.0, le=5.0, description="Metres above the ground the robot stands on; its eyes are at 0.23."
    )
    duration_s: DurationS = 0.0


def _move_head(arguments: MoveHeadArguments, context: ToolContext) -> dict[str, Any]:
    angles = (math.radians(angle) for angle in (arguments.roll_deg, arguments.pitch_deg, arguments.yaw_deg))
    shift = (millimetres / 1000.0 for millimetres in (arguments.x_mm, arguments.y_mm, arguments.z_mm))
    return motion_in_degrees(
        context.move(PoseMotion(head=head_transform(*angles, *shift), duration=arguments.duration_s))
    )


def _look_at(arguments: LookAtArguments, context: ToolContext) -> dict[str, Any]:
    point = (arguments.x_m, arguments.y_m, arguments.z_m)
    moved = context.move(GazeMotion(point, arguments.duration_s))
    context.manner.looks_at(float(np.linalg.norm(np.array(point) - camera_pose(moved.pose.head)[:3, 3])))
    return motion_in_degrees(moved)


move_head = Tool(
    ToolSpecification(
        name="move_head",
        description=f"Turns the head to absolute angles; what is left out becomes 0. {SIGNS}",
        arguments=MoveHeadArguments,
        time_limit=15.0,
        moves_robot=True,
        reversible=True,
        action_name=MOVE_HEAD,
    ),
    _move_head,
)

look_at = Tool(
    ToolSpecification(
        name="look_at",
        description="Looks at a point in front of the robot, turning the body along where the neck does not reach.",
        arguments=LookAtArguments,
        time_limit=15.0,
        moves_robot=True,
        reversible=True,
        action_name=LOOK_AT,
    ),
    _look_at,
)
