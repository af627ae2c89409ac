"""Looking at what a pixel of a picture shows."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import HEAD_BASE_HEIGHT
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.gaze import turn_towards
from reachy_agent_ros.tools.body import Photo, PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import DurationS, motion_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification
from reachy_agent_ros.vision.eye import bearing, camera_pose

_FAR = 1.0
"""m; how far away a pixel is taken to be that does not show the table."""


class LookAtImageArguments(ToolArguments):
    """A pixel of the last picture."""

    u: float = Field(ge=0.0, le=10000.0, description="Column, pixels from the picture's left edge.")
    v: float = Field(ge=0.0, le=10000.0, description="Row, pixels from the picture's upper edge.")
    duration_s: DurationS = 0.0


def _look_at_image(arguments: LookAtImageArguments, context: ToolContext) -> dict[str, Any]:
    photo = context.body.last_photo()
    if photo is None:
        raise AgentError(ErrorCode.INVALID_GOAL, "There is no picture yet to look at a pixel of: take a photo first.")
    width, height = photo.intrinsics.width, photo.intrinsics.height
    if arguments.u > width or arguments.v > height:
        message = f"Pixel ({arguments.u:g}, {arguments.v:g}) is outside of the last picture, which is {width}x{height}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    point = _shown_by(photo, (arguments.u, arguments.v))
    head = turn_towards(point - np.array([0.0, 0.0, HEAD_BASE_HEIGHT]))
    return motion_in_degrees(context.move(PoseMotion(head=head, duration=arguments.duration_s)))


def _shown_by(photo: Photo, pixel: tuple[float, float]) -> Vector:
    """Point in `base_link`, m, that a pixel shows: on the ground the robot stands on, or at some distance."""
    camera = camera_pose(photo.head)
    direction = bearing(pixel, photo.intrinsics, camera)
    eye = camera[:3, 3]
    distance = -eye[2] / direction[2] if direction[2] < 0.0 else _FAR
    point: Vector = eye + min(float(distance), _FAR) * direction
    return point


look_at_image = Tool(
    ToolSpecification(
        name="look_at_image",
        description="Turns the head to what a pixel of the last photo showed, with the camera's true lens.",
        arguments=LookAtImageArguments,
        time_limit=15.0,
        moves_robot=True,
        reversible=True,
    ),
    _look_at_image,
)
