"""Tools that move the head, body and antennas, measure the posture, wait, and stop the robot."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from pydantic import Field

from reachy_agent_ros.core.arguments import NoArguments, ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import HEAD_BASE_HEIGHT, LOOK_AT, MOVE_HEAD, ROTATE_BODY, SET_ANTENNAS
from reachy_agent_ros.core.pose import Vector, head_transform
from reachy_agent_ros.motion.gaze import turn_towards
from reachy_agent_ros.robot.pose_limits import ENVELOPE, NECK_COMFORT
from reachy_agent_ros.tools.body import GazeMotion, Photo, PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.heading import turned
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
"""Assumed distance of a pixel that does not show the ground within this distance, m."""


class MoveHeadArguments(ToolArguments):
    """Arguments of `move_head`. Omitted values are neutral."""

    roll_deg: float = angle_field("head.roll", "Degrees; positive tilts to the RIGHT, negative tilts to the LEFT.", 0.0)
    pitch_deg: float = angle_field(
        "head.pitch",
        "Degrees; positive looks DOWN, negative looks UP. At neutral height the head reaches about 34 down and 39 up. "
        "Larger angles are reduced, and the result lists them under limited.",
        0.0,
    )
    yaw_deg: float = Field(0.0, ge=-180.0, le=180.0, description="Degrees; positive looks LEFT, negative looks RIGHT.")
    x_mm: float = shift_field("head.x", "Millimeters forward of neutral.", 0.0)
    y_mm: float = shift_field("head.y", "Millimeters to the LEFT of neutral.", 0.0)
    z_mm: float = shift_field("head.z", "Millimeters above neutral.", 0.0)
    duration_s: DurationS = 0.0
    frame: Literal["front", "base"] = Field(
        "front", description="Frame of the angles: front turns with the body, base is fixed to the robot's foot."
    )

    @property
    def neutral(self) -> bool:
        """Whether all angles and shifts are 0, which brings the body back too."""
        return not any((self.roll_deg, self.pitch_deg, self.yaw_deg, self.x_mm, self.y_mm, self.z_mm))


class LookAtArguments(ToolArguments):
    """Arguments of `look_at`: a point in front of the robot."""

    x_m: float = Field(ge=0.05, le=10.0, description="Meters in front of the robot's foot.")
    y_m: float = Field(ge=-10.0, le=10.0, description="Meters to the side; positive is the robot's LEFT.")
    z_m: float = Field(
        ge=-5.0, le=5.0, description="Meters above the surface that the robot stands on; its camera is at 0.23."
    )
    duration_s: DurationS = 0.0


@ToolSpecification(
    name="move_head",
    description=(
        "Turns the head to absolute angles, counted from the front. Omitted arguments are 0. If all are 0, the body "
        f"turns back too. {SIGNS}"
    ),
    arguments=MoveHeadArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
    action_name=MOVE_HEAD,
).implemented_by
def _move_head(arguments: MoveHeadArguments, context: ToolContext) -> dict[str, Any]:
    angles = (math.radians(angle) for angle in (arguments.roll_deg, arguments.pitch_deg, arguments.yaw_deg))
    shift = (millimetres / 1000.0 for millimetres in (arguments.x_mm, arguments.y_mm, arguments.z_mm))
    head, heading = head_transform(*angles, *shift), context.body.heading
    from_base = arguments.frame == "base" or arguments.neutral
    front = 0.0 if from_base else heading.front(context.body.state().pose.body_yaw)
    # The bridge turns the body after the head as if the body were at zero, so a body that is turned needs its own yaw.
    body_yaw = _following(front, math.radians(arguments.yaw_deg)) if front else None
    moved = context.move(PoseMotion(turned(head, front), body_yaw=body_yaw, duration=arguments.duration_s))
    if from_base:
        heading.face(0.0)
    heading.keep(moved.pose.body_yaw)
    return motion_in_degrees(moved, heading)


def _following(front: float, yaw: float) -> float:
    """Returns the yaw (rad) of a body that turns by the part of the head's yaw that the neck does not take."""
    limit = ENVELOPE["body_yaw"]
    follow = yaw - min(max(yaw, -NECK_COMFORT), NECK_COMFORT)
    return min(max(front + follow, limit.low), limit.high)


@ToolSpecification(
    name="look_at",
    description="Looks at a point in front of the robot. The body turns too if the neck cannot reach the direction.",
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
    return motion_in_degrees(moved, context.body.heading)


class LookAtImageArguments(ToolArguments):
    """Arguments of `look_at_image`: a pixel of the latest picture."""

    u: float = Field(ge=0.0, le=10000.0, description="Column, in pixels from the left edge of the picture.")
    v: float = Field(ge=0.0, le=10000.0, description="Row, in pixels from the top edge of the picture.")
    duration_s: DurationS = 0.0


@ToolSpecification(
    name="look_at_image",
    description="Turns the head towards the thing at a pixel of the last photo.",
    arguments=LookAtImageArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
).implemented_by
def _look_at_image(arguments: LookAtImageArguments, context: ToolContext) -> dict[str, Any]:
    photo = context.body.last_photo()
    if photo is None:
        raise AgentError(ErrorCode.INVALID_GOAL, "There is no picture yet: take a photo first.")
    width, height = photo.intrinsics.width, photo.intrinsics.height
    if arguments.u > width or arguments.v > height:
        message = f"Pixel ({arguments.u:g}, {arguments.v:g}) is outside of the last picture, which is {width}x{height}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    point = _shown_by(photo, (arguments.u, arguments.v))
    head = turn_towards(point - np.array([0.0, 0.0, HEAD_BASE_HEIGHT]))
    return motion_in_degrees(context.move(PoseMotion(head=head, duration=arguments.duration_s)), context.body.heading)


class ApproachArguments(ToolArguments):
    """Arguments of `approach`. The distance is what people have taught."""

    duration_s: DurationS = 0.0


@ToolSpecification(
    name="approach",
    description="Leans the head towards what it looks at, as close as people prefer. To lean back, use move_head.",
    arguments=ApproachArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
).implemented_by
def _approach(arguments: ApproachArguments, context: ToolContext) -> dict[str, Any]:
    nearer = context.body.state().pose.head.copy()
    ahead = nearer[:2, 0] / np.linalg.norm(nearer[:2, 0])  # the neck never looks straight down
    nearer[:2, 3] = context.manner.lean() * ahead
    return motion_in_degrees(context.move(PoseMotion(head=nearer, duration=arguments.duration_s)), context.body.heading)


class SetAntennasArguments(ToolArguments):
    """Arguments of `set_antennas`."""

    right_deg: float | None = angle_field("antenna_right", "Right antenna in degrees; 0 is upright.", None)
    left_deg: float | None = angle_field("antenna_left", "Left antenna in degrees; 0 is upright.", None)
    duration_s: DurationS = 0.0


class RotateBodyArguments(ToolArguments):
    """Arguments of `rotate_body`."""

    yaw_deg: float = angle_field("body_yaw", "Degrees; positive turns LEFT, negative turns RIGHT.")
    duration_s: DurationS = 0.0


@ToolSpecification(
    name="set_antennas",
    description="Moves one or both antennas to absolute angles. Without angles, both go upright.",
    arguments=SetAntennasArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
    action_name=SET_ANTENNAS,
).implemented_by
def _set_antennas(arguments: SetAntennasArguments, context: ToolContext) -> dict[str, Any]:
    right, left = arguments.right_deg, arguments.left_deg
    antennas = (math.radians(right or 0.0), math.radians(left or 0.0))
    if (right is None) != (left is None):
        pose = context.body.state().pose
        antennas = (pose.antenna_right, antennas[1]) if right is None else (antennas[0], pose.antenna_left)
    motion = PoseMotion(antennas=antennas, duration=arguments.duration_s)
    return motion_in_degrees(context.move(motion), context.body.heading)


@ToolSpecification(
    name="rotate_body",
    description="Turns the whole body on its foot to an absolute angle. Positive yaw_deg is left.",
    arguments=RotateBodyArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
    action_name=ROTATE_BODY,
).implemented_by
def _rotate_body(arguments: RotateBodyArguments, context: ToolContext) -> dict[str, Any]:
    yaw = math.radians(arguments.yaw_deg)
    moved = context.move(PoseMotion(body_yaw=yaw, duration=arguments.duration_s))
    context.body.heading.face(moved.pose.body_yaw)
    return motion_in_degrees(moved, context.body.heading)


@ToolSpecification(
    name="get_robot_state",
    description=f"Reports the current pose of head (from the front), body and antennas, and the activity. {SIGNS}",
    arguments=NoArguments,
    time_limit=3.0,
    only_measures=True,
).implemented_by
def _get_robot_state(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    state, heading = context.body.state(), context.body.heading
    return {
        **posture_in_degrees(heading.seen_from_front(state.pose)),
        "front_deg": round(math.degrees(heading.front(state.pose.body_yaw)), 1),
        "activity": state.activity,
        "motors": state.motors,
        "connected": state.connected,
        "simulated": state.simulated,
        "emergency_stopped": state.emergency_stopped,
        "stop_reason": state.stop_reason,
        "commander": state.commander,
    }


class WaitArguments(ToolArguments):
    """Arguments of `wait`."""

    duration_s: float = Field(gt=0.0, le=60.0, description="Time to wait, in seconds.")


@ToolSpecification(
    name="wait",
    description="Waits between two actions, without moving.",
    arguments=WaitArguments,
    time_limit=65.0,
).implemented_by
def _wait(arguments: WaitArguments, context: ToolContext) -> dict[str, Any]:
    context.cancel.wait(arguments.duration_s)
    context.cancel.raise_if_cancelled()
    return {"waited_s": arguments.duration_s}


@ToolSpecification(
    name="stop",
    description="Stops all motion. The robot holds its current pose.",
    arguments=NoArguments,
    time_limit=5.0,
).implemented_by
def _stop(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    context.body.halt()
    return posture_in_degrees(context.body.heading.seen_from_front(context.body.state().pose))


MOVEMENT_TOOLS = (
    _move_head,
    _look_at,
    _look_at_image,
    _approach,
    _set_antennas,
    _rotate_body,
    _get_robot_state,
    _wait,
    _stop,
)
"""Tools that move the robot, measure its posture, wait and stop it."""


def _shown_by(photo: Photo, pixel: tuple[float, float]) -> Vector:
    """Returns the point (m, in `base_link`) that a pixel shows: on the ground, or 1 m away if the ground is farther."""
    camera = camera_pose(photo.head)
    direction = bearing(pixel, photo.intrinsics, camera)
    eye = camera[:3, 3]
    distance = -eye[2] / direction[2] if direction[2] < 0.0 else _FAR
    point: Vector = eye + min(float(distance), _FAR) * direction
    return point
