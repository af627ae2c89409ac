"""Setting the antennas and turning the body."""

from __future__ import annotations

import math
from typing import Any

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.names import ROTATE_BODY, SET_ANTENNAS
from reachy_agent_ros.tools.body import PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import DurationS, angle_field, motion_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification


class SetAntennasArguments(ToolArguments):
    """Both antennas."""

    right_deg: float = angle_field("antenna_right", "Right antenna in degrees; 0 is upright.")
    left_deg: float = angle_field("antenna_left", "Left antenna in degrees; 0 is upright.")
    duration_s: DurationS = 0.0


class RotateBodyArguments(ToolArguments):
    """The body's direction."""

    yaw_deg: float = angle_field("body_yaw", "Degrees; positive turns LEFT, negative turns RIGHT.")
    duration_s: DurationS = 0.0


def _set_antennas(arguments: SetAntennasArguments, context: ToolContext) -> dict[str, Any]:
    antennas = (math.radians(arguments.right_deg), math.radians(arguments.left_deg))
    return motion_in_degrees(context.move(PoseMotion(antennas=antennas, duration=arguments.duration_s)))


def _rotate_body(arguments: RotateBodyArguments, context: ToolContext) -> dict[str, Any]:
    yaw = math.radians(arguments.yaw_deg)
    return motion_in_degrees(context.move(PoseMotion(body_yaw=yaw, duration=arguments.duration_s)))


set_antennas = Tool(
    ToolSpecification(
        name="set_antennas",
        description="Sets both antennas. Upright (0, 0) is neutral; moving them apart or together shows a mood.",
        arguments=SetAntennasArguments,
        time_limit=15.0,
        moves_robot=True,
        reversible=True,
        action_name=SET_ANTENNAS,
    ),
    _set_antennas,
)

rotate_body = Tool(
    ToolSpecification(
        name="rotate_body",
        description="Turns the whole body on its foot to an absolute direction. Positive yaw_deg turns left.",
        arguments=RotateBodyArguments,
        time_limit=15.0,
        moves_robot=True,
        reversible=True,
        action_name=ROTATE_BODY,
    ),
    _rotate_body,
)
