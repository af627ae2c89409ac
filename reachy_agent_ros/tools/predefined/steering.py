"""Tools that pause, continue and pace motions, and that restore or mirror a complete pose."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from reachy_agent_ros.core.arguments import WHOLE, NoArguments, ToolArguments
from reachy_agent_ros.core.pose import Matrix, head_transform
from reachy_agent_ros.tools.body import PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.heading import turned
from reachy_agent_ros.tools.predefined.posture import SIGNS, DurationS, motion_in_degrees, posture_in_degrees
from reachy_agent_ros.tools.tool import ToolSpecification

_PACES = (30, 50, 70, 100, 140, 200)
"""Paces that "slower" and "faster" lead to, percent."""

_MIRROR = np.diag([1.0, -1.0, 1.0, 1.0])
"""Reflection in the vertical plane through the middle of the robot."""


@ToolSpecification(
    name="pause",
    description="Pauses the running motion: the robot holds its pose until resume continues the motion.",
    arguments=NoArguments,
    time_limit=5.0,
).implemented_by
def _pause(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    context.body.halt()
    return posture_in_degrees(context.body.state().pose)


@ToolSpecification(
    name="resume",
    description="Continues the motion that pause or stop has ended last, from where it was.",
    arguments=NoArguments,
    time_limit=130.0,
    moves_robot=True,
).implemented_by
def _resume(_arguments: NoArguments, context: ToolContext) -> dict[str, Any]:
    return motion_in_degrees(context.proceed(), context.body.heading)


class SetPaceArguments(ToolArguments):
    """Arguments of `set_pace`."""

    percent: Annotated[int, Field(ge=_PACES[0], le=_PACES[-1]), WHOLE] | None = Field(
        None, description="Pace, percent of the usual one; 100 is normal."
    )
    change: Literal["slower", "faster"] | None = Field(
        None, description="Changes the pace by one step, if there is no percent."
    )


@ToolSpecification(
    name="set_pace",
    description="Sets the pace of the running motion and of the next ones until a restart, within the robot's limits. "
    "Without arguments, only returns the pace.",
    arguments=SetPaceArguments,
    time_limit=5.0,
).implemented_by
def _set_pace(arguments: SetPaceArguments, context: ToolContext) -> dict[str, Any]:
    before = round(100.0 * context.body.pace())
    after = _changed(before, arguments)
    if after != before:
        context.body.set_pace(after / 100.0)
    return {"percent": after, "previous_percent": before}


def _changed(percent: int, arguments: SetPaceArguments) -> int:
    """Returns the pace (percent) that results from a change of the current pace."""
    if arguments.percent is not None:
        return arguments.percent
    if arguments.change == "slower":
        return max((pace for pace in _PACES if pace < percent), default=_PACES[0])
    if arguments.change == "faster":
        return min((pace for pace in _PACES if pace > percent), default=_PACES[-1])
    return percent


class SetPoseArguments(ToolArguments):
    """Arguments of `set_pose`, as `get_robot_state` reports them. The safety gate limits them. Omitted ones are 0."""

    roll_deg: float = Field(0.0, ge=-180.0, le=180.0, description="Roll of the head; positive tilts to the RIGHT.")
    pitch_deg: float = Field(0.0, ge=-180.0, le=180.0, description="Pitch of the head; positive looks DOWN.")
    yaw_deg: float = Field(0.0, ge=-180.0, le=180.0, description="Yaw of the head from the front; positive is LEFT.")
    x_mm: float = Field(0.0, ge=-100.0, le=100.0, description="Millimeters of the head forward of neutral.")
    y_mm: float = Field(0.0, ge=-100.0, le=100.0, description="Millimeters of the head to the LEFT of neutral.")
    z_mm: float = Field(0.0, ge=-100.0, le=100.0, description="Millimeters of the head above neutral.")
    body_yaw_deg: float = Field(0.0, ge=-180.0, le=180.0, description="Yaw of the body; positive is LEFT.")
    antenna_right_deg: float = Field(0.0, ge=-360.0, le=360.0, description="Right antenna; 0 is upright.")
    antenna_left_deg: float = Field(0.0, ge=-360.0, le=360.0, description="Left antenna; 0 is upright.")
    front_deg: float = Field(0.0, ge=-180.0, le=180.0, description="Direction that counts as the front; 0: the foot's.")
    duration_s: DurationS = 0.0


@ToolSpecification(
    name="set_pose",
    description=f"Moves head, body and antennas together to a complete pose from get_robot_state. {SIGNS}",
    arguments=SetPoseArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
).implemented_by
def _set_pose(arguments: SetPoseArguments, context: ToolContext) -> dict[str, Any]:
    angles = (math.radians(angle) for angle in (arguments.roll_deg, arguments.pitch_deg, arguments.yaw_deg))
    shift = (millimetres / 1000.0 for millimetres in (arguments.x_mm, arguments.y_mm, arguments.z_mm))
    antennas = (math.radians(arguments.antenna_right_deg), math.radians(arguments.antenna_left_deg))
    front, heading = math.radians(arguments.front_deg), context.body.heading
    pose = PoseMotion(
        turned(head_transform(*angles, *shift), front),
        antennas,
        math.radians(arguments.body_yaw_deg),
        arguments.duration_s,
    )
    moved = context.move(pose)
    heading.face(front)
    heading.keep(moved.pose.body_yaw)
    return motion_in_degrees(moved, heading)


class MirrorPoseArguments(ToolArguments):
    """Arguments of `mirror_pose`."""

    duration_s: DurationS = 0.0


@ToolSpecification(
    name="mirror_pose",
    description="Moves to the mirror image of the present pose: what points left then points right.",
    arguments=MirrorPoseArguments,
    time_limit=15.0,
    moves_robot=True,
    reversible=True,
).implemented_by
def _mirror_pose(arguments: MirrorPoseArguments, context: ToolContext) -> dict[str, Any]:
    pose, heading = context.body.state().pose, context.body.heading
    front = heading.front(pose.body_yaw)
    antennas = (-pose.antenna_left, -pose.antenna_right)
    moved = context.move(PoseMotion(_mirrored(pose.head), antennas, -pose.body_yaw, arguments.duration_s))
    heading.face(-front)
    heading.keep(moved.pose.body_yaw)
    return motion_in_degrees(moved, heading)


def _mirrored(head: Matrix) -> Matrix:
    """Returns the mirror image of a 4x4 head transform."""
    mirrored: Matrix = _MIRROR @ head @ _MIRROR
    return mirrored


STEERING_TOOLS = (_pause, _resume, _set_pace, _set_pose, _mirror_pose)
