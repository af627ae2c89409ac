"""Moves the head, the body and the antennas, measures where they are, and stops them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pydantic import Field

from reachy_agent_ros.core.arguments import NoArguments, ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import HEAD_BASE_HEIGHT, LOOK_AT, MOVE_HEAD, ROTATE_BODY, SET_ANTENNAS
from reachy_agent_ros.core.pose import Vector, head_transform
from reachy_agent_ros.motion.gaze import turn_towards
from reachy_agent_ros.tools.body import GazeMotion, Photo, PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import (
    SIGNS,
    DurationS,
    angle_field,
    motion_in_degrees,
    posture_in_degrees,
    shift_field,
)
from reachy_agent_ros.tools.tool import ToolSpecification
from reachy_agent_ros.vision.eye import bearing, camera_pose

_FAR = 1.0
"""m; assumed distance of a pixel that does not show the table."""


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


@ToolSpecification(
    name="move_head",
    description=f"Turns the head to absolute angles; what is left out becomes 0. {SIGNS}",
    arguments=MoveHeadArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
    action_name=MOVE_HEAD,
).implemented_by
def _move_head(arguments: MoveHeadArguments, context: ToolContext) -> dict[str, Any]:
    angles = (math.radians(angle) for angle in (arguments.roll_deg, arguments.pitch_deg, arguments.yaw_deg))
    shift = (millimetres / 1000.0 for millimetres in (arguments.x_mm, arguments.y_mm, arguments.z_mm))
    return motion_in_degrees(
        context.move(PoseMotion(head=head_transform(*angles, *shift), duration=arguments.duration_s))
    )


@ToolSpecification(
    name="look_at",
    description="Looks at a point in front of the robot, turning the body along where the neck does not reach.",
    arguments=LookAtArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
    action_name=LOOK_AT,
).implemented_by
def _look_at(arguments: LookAtArguments, context: ToolContext) -> dict[str, Any]:
    point = (arguments.x_m, arguments.y_m, arguments.z_m)
    moved = context.move(GazeMotion(point, arguments.duration_s))
    context.manner.looks_at(float(np.linalg.norm(np.array(point) - camera_pose(moved.pose.head)[:3, 3])))
    return motion_in_degrees(moved)


class LookAtImageArguments(ToolArguments):
    """A pixel of the last picture."""

    u: float = Field(ge=0.0, le=10000.0, description="Column, pixels from the picture's left edge.")
    v: float = Field(ge=0.0, le=10000.0, description="Row, pixels from the picture's upper edge.")
    duration_s: DurationS = 0.0


@ToolSpecification(
    name="look_at_image",
    description="Turns the head to what a pixel of the last photo showed, with the camera's true lens.",
    arguments=LookAtImageArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
).implemented_by
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


class ApproachArguments(ToolArguments):
    """How fast; how near is what people taught."""

    duration_s: DurationS = 0.0


@ToolSpecification(
    name="approach",
    description="Leans the head towards what it looks at, as near as people like it. move_head leans back.",
    arguments=ApproachArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
).implemented_by
def _approach(arguments: ApproachArguments, context: ToolContext) -> dict[str, Any]:
    nearer = context.body.state().pose.head.copy()
    ahead = nearer[:2, 0] / np.linalg.norm(nearer[:2, 0])  # the neck never looks straight down
    nearer[:2, 3] = context.manner.lean() * ahead
    return motion_in_degrees(context.move(PoseMotion(head=nearer, duration=arguments.duration_s)))


class SetAntennasArguments(ToolArguments):
    """Both antennas."""

    right_deg: float = angle_field("antenna_right", "Right antenna in degrees; 0 is upright.")
    left_deg: float = angle_field("antenna_left", "Left antenna in degrees; 0 is upright.")
    duration_s: DurationS = 0.0


class RotateBodyArguments(ToolArguments):
    """The body's direction."""

    yaw_deg: float = angle_field("body_yaw", "Degrees; positive turns LEFT, negative turns RIGHT.")
    duration_s: DurationS = 0.0


@ToolSpecification(
    name="set_antennas",
    description="Sets both antennas. Upright (0, 0) is neutral; moving them apart or together shows a mood.",
    arguments=SetAntennasArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
    action_name=SET_ANTENNAS,
).implemented_by
def _set_antennas(arguments: SetAntennasArguments, context: ToolContext) -> dict[str, Any]:
    antennas = (math.radians(arguments.right_deg), math.radians(arguments.left_deg))
    return motion_in_degrees(context.move(PoseMotion(antennas=antennas, duration=arguments.duration_s)))


@ToolSpecification(
    name="rotate_body",
    description="Turns the whole body on its foot to an absolute direction. Positive yaw_deg turns left.",
    arguments=RotateBodyArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
    action_name=ROTATE_BODY,
).implemented_by
def _rotate_body(arguments: RotateBodyArguments, context: ToolContext) -> dict[str, Any]:
    yaw = math.radians(arguments.yaw_deg)
    return motion_in_degrees(context.move(PoseMotion(body_yaw=yaw, duration=arguments.duration_s)))


@ToolSpecification(
    name="get_robot_state",
    description=f"Measures where head, body and antennas are now, and what the robot is doing. {SIGNS}",
    arguments=NoArguments,
    time_limit=3.0,
    only_measures=True,
).implemented_by
def _get_robot_state(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    state = context.body.state()
    return {
        **posture_in_degrees(state.pose),
        "activity": state.activity,
        "motors": state.motors,
        "connected": state.connected,
        "simulated": state.simulated,
        "emergency_stopped": state.emergency_stopped,
        "stop_reason": state.stop_reason,
        "commander": state.commander,
    }


@ToolSpecification(
    name="stop",
    description="Stops whatever motion is running; the robot holds the pose it has.",
    arguments=NoArguments,
    time_limit=5.0,
).implemented_by
def _stop(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    context.body.halt()
    return posture_in_degrees(context.body.state().pose)


MOVEMENT_TOOLS = (
    _move_head,
    _look_at,
    _look_at_image,
    _approach,
    _set_antennas,
    _rotate_body,
    _get_robot_state,
    _stop,
)
"""The tools that move the robot, measure where it is, and stop it."""


def _shown_by(photo: Photo, pixel: tuple[float, float]) -> Vector:
    """Point in `base_link`, m, that a pixel shows: on the ground the robot stands on, or at some distance."""
    camera = camera_pose(photo.head)
    direction = bearing(pixel, photo.intrinsics, camera)
    eye = camera[:3, 3]
    distance = -eye[2] / direction[2] if direction[2] < 0.0 else _FAR
    point: Vector = eye + min(float(distance), _FAR) * direction
    return point
