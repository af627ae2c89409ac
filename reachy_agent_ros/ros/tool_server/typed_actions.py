"""The typed actions for moves: the same tools, with goals and results in SI units."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from reachy_agent_msgs.action import Dance, ExpressEmotion, LookAt, MoveHead, RotateBody, SetAntennas

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, pose_message, seconds_of
from reachy_agent_ros.ros.tool_server.tool_action import ToolAction
from reachy_agent_ros.tools.call import ToolOutcome, ToolRequest
from reachy_agent_ros.tools.context import Progress

_FRAME_HEIGHTS = {"": 0.0, names.BASE_FRAME: 0.0, names.HEAD_BASE_FRAME: names.HEAD_BASE_HEIGHT}
"""Height above `base_link`, m, of the frames a point may be given in; neither is turned."""


def _move_head(goal: MoveHead.Goal) -> dict[str, Any]:
    return {
        "roll_deg": _degrees(goal.roll),
        "pitch_deg": _degrees(goal.pitch),
        "yaw_deg": _degrees(goal.yaw),
        "x_mm": goal.x * 1000.0,
        "y_mm": goal.y * 1000.0,
        "z_mm": goal.z * 1000.0,
        "duration_s": seconds_of(goal.duration),
    }


def _look_at(goal: LookAt.Goal) -> dict[str, Any]:
    frame = goal.point.header.frame_id
    if frame not in _FRAME_HEIGHTS:
        known = f"{names.BASE_FRAME} or {names.HEAD_BASE_FRAME}"
        raise AgentError(ErrorCode.INVALID_GOAL, f"The point's frame must be {known}, not {frame!r}.")
    point = goal.point.point
    return {
        "x_m": point.x,
        "y_m": point.y,
        "z_m": point.z + _FRAME_HEIGHTS[frame],
        "duration_s": seconds_of(goal.duration),
    }


def _set_antennas(goal: SetAntennas.Goal) -> dict[str, Any]:
    return {
        "right_deg": _degrees(goal.right),
        "left_deg": _degrees(goal.left),
        "duration_s": seconds_of(goal.duration),
    }


def _rotate_body(goal: RotateBody.Goal) -> dict[str, Any]:
    return {"yaw_deg": _degrees(goal.yaw), "duration_s": seconds_of(goal.duration)}


def _express_emotion(goal: ExpressEmotion.Goal) -> dict[str, Any]:
    return {"emotion": goal.emotion, "intensity": goal.intensity or 1.0}


def _dance(goal: Dance.Goal) -> dict[str, Any]:
    return {"dance": goal.dance, "intensity": goal.intensity or 1.0, "repetitions": goal.repetitions or 1}


def _degrees(angle: float) -> float:
    """Degrees without the last bits, so that a limit given in radians is not refused for its rounding."""
    return round(math.degrees(angle), 9)


def _motion_action(action_type: Any, name: str, arguments: Callable[[Any], dict[str, Any]]) -> ToolAction:
    """The action of the tool of the same name."""

    def request(goal: Any) -> ToolRequest:
        return ToolRequest(name, json.dumps(arguments(goal)), seconds_of(goal.time_allowance))

    def result(outcome: ToolOutcome) -> Any:
        message = action_type.Result()
        if outcome.motion is not None:
            pose = outcome.motion.pose
            message.head_pose = pose_message(pose.head)
            message.body_yaw = pose.body_yaw
            message.antenna_right = pose.antenna_right
            message.antenna_left = pose.antenna_left
            message.clamped = list(outcome.motion.clamped)
        return message

    def feedback(progress: Progress) -> Any | None:
        if progress.motion is None:
            return None
        return action_type.Feedback(
            progress=progress.fraction,
            head_pose=pose_message(progress.motion.head),
            angle_remaining=progress.motion.angle_remaining,
            time_remaining=duration_message(progress.motion.time_remaining),
        )

    return ToolAction(action_type, name, request, result, feedback)


TYPED_ACTIONS = (
    _motion_action(MoveHead, names.MOVE_HEAD, _move_head),
    _motion_action(LookAt, names.LOOK_AT, _look_at),
    _motion_action(SetAntennas, names.SET_ANTENNAS, _set_antennas),
    _motion_action(RotateBody, names.ROTATE_BODY, _rotate_body),
    _motion_action(ExpressEmotion, names.EXPRESS_EMOTION, _express_emotion),
    _motion_action(Dance, names.DANCE, _dance),
)
"""One a tool; each bears its tool's name."""
