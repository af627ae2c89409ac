"""Actions whose goals run as tool calls: `execute_tool`, and typed actions for motions in SI units."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node
from reachy_agent_msgs.action import Dance, ExecuteTool, ExpressEmotion, LookAt, MoveHead, RotateBody, SetAntennas

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.convert import (
    duration_message,
    fill_posture,
    pose_message,
    seconds_of,
    uuid_from_message,
)
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.tools.call import CallOutcome, ToolRequest
from reachy_agent_ros.tools.context import Progress
from reachy_agent_ros.tools.runner import ToolRunner

_FRAME_HEIGHTS = {"": 0.0, names.BASE_FRAME: 0.0, names.HEAD_BASE_FRAME: names.HEAD_BASE_HEIGHT}
"""Height above `base_link` of the frames in which a point may be given, m. Both have the same orientation."""


@dataclass(frozen=True)
class ToolAction:
    """Conversion between the messages of an action and tool calls.

    Attributes:
        action_type: Action type, for example `reachy_agent_msgs.action.MoveHead`.
        name: Action name.
        request: Returns the call for a goal, and raises `AgentError` if the goal is invalid.
        result: Returns the Result message of an outcome, without its error.
        feedback: Returns the Feedback message of a call's progress; None for no feedback.
    """

    action_type: type
    name: str
    request: Callable[[Any], ToolRequest]
    result: Callable[[CallOutcome], Any]
    feedback: Callable[[Progress], Any | None]


class ToolActionServer:
    """Action server that runs its goals as tool calls.

    Args:
        node: Node that serves the action.
        runner: Runner of the tool calls.
        action: Action to serve.
    """

    def __init__(self, node: Node, runner: ToolRunner, action: ToolAction) -> None:
        self._runner = runner
        self._action = action
        self._logger = node.get_logger()
        self._server = GoalServer(node, action.action_type, action.name, self._begin)

    def _begin(self, goal: Goal) -> None:
        request = self._action.request(goal.request)
        self._logger.info(
            f"{self._action.name} {goal.id}: {request.name!r:.80}, caller {request.caller!r:.80}, "
            f"turn {request.turn_id}, approval {request.approval_id}"
        )
        call = self._runner.start(
            request,
            lambda outcome: self._end(goal, outcome),
            lambda progress: self._report(goal, progress),
        )
        goal.cancel.on_cancel(call.cancel)

    def _end(self, goal: Goal, outcome: CallOutcome) -> None:
        end = "done" if outcome.error is None else f"{outcome.error.code.name}: {outcome.error.message!r:.300}"
        self._logger.info(f"{self._action.name} {goal.id}: {end} after {outcome.elapsed:.3f} s")
        goal.end(self._action.result(outcome), outcome.error)

    def _report(self, goal: Goal, progress: Progress) -> None:
        feedback = self._action.feedback(progress)
        if feedback is not None:
            goal.report(feedback)


def _execute_request(goal: ExecuteTool.Goal) -> ToolRequest:
    allowance = seconds_of(goal.time_allowance)
    ids = (uuid_from_message(goal.turn_id), uuid_from_message(goal.approval_id))
    return ToolRequest(goal.name, goal.arguments_json, allowance, *ids, goal.caller, goal.asked_by)


def _execute_result(outcome: CallOutcome) -> ExecuteTool.Result:
    return ExecuteTool.Result(result_json=outcome.result_json, elapsed=duration_message(outcome.elapsed))


def _execute_feedback(progress: Progress) -> ExecuteTool.Feedback:
    return ExecuteTool.Feedback(progress=progress.fraction, status=progress.status)


def _move_head(goal: MoveHead.Goal) -> dict[str, Any]:
    return {
        "roll_deg": _degrees(goal.roll),
        "pitch_deg": _degrees(goal.pitch),
        "yaw_deg": _degrees(goal.yaw),
        "x_mm": goal.x * 1000.0,
        "y_mm": goal.y * 1000.0,
        "z_mm": goal.z * 1000.0,
        "duration_s": seconds_of(goal.duration),
        "frame": "base",
    }


def _look_at(goal: LookAt.Goal) -> dict[str, Any]:
    frame = goal.point.header.frame_id
    if frame not in _FRAME_HEIGHTS:
        known = f"{names.BASE_FRAME} or {names.HEAD_BASE_FRAME}"
        raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid frame {frame!r} for the point: expected {known}.")
    point = goal.point.point
    return {
        "x_m": point.x,
        "y_m": point.y,
        "z_m": point.z + _FRAME_HEIGHTS[frame],
        "duration_s": seconds_of(goal.duration),
    }


def _set_antennas(goal: SetAntennas.Goal) -> dict[str, Any]:
    return {
        "right_deg": None if math.isnan(goal.right) else _degrees(goal.right),
        "left_deg": None if math.isnan(goal.left) else _degrees(goal.left),
        "duration_s": seconds_of(goal.duration),
    }


def _rotate_body(goal: RotateBody.Goal) -> dict[str, Any]:
    return {"yaw_deg": _degrees(goal.yaw), "duration_s": seconds_of(goal.duration)}


def _express_emotion(goal: ExpressEmotion.Goal) -> dict[str, Any]:
    return {"emotion": goal.emotion, "intensity": goal.intensity or 1.0}


def _dance(goal: Dance.Goal) -> dict[str, Any]:
    return {"dance": goal.dance, "intensity": goal.intensity or 1.0, "repetitions": goal.repetitions or 1}


def _degrees(angle: float) -> float:
    """Converts an angle to degrees. Rounds the result, so that an angle at a limit in radians is not rejected."""
    return round(math.degrees(angle), 9)


def _motion_action(action_type: Any, name: str, arguments: Callable[[Any], dict[str, Any]]) -> ToolAction:
    """Returns the typed action for the tool with the same name."""

    def request(goal: Any) -> ToolRequest:
        return ToolRequest(name, json.dumps(arguments(goal)), seconds_of(goal.time_allowance))

    def result(outcome: CallOutcome) -> Any:
        message = action_type.Result()
        if outcome.motion is not None:
            fill_posture(message, outcome.motion.pose)
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


EXECUTE_TOOL = ToolAction(ExecuteTool, names.EXECUTE_TOOL, _execute_request, _execute_result, _execute_feedback)
"""Action for any tool, which is named in the goal."""

TYPED_ACTIONS = (
    _motion_action(MoveHead, names.MOVE_HEAD, _move_head),
    _motion_action(LookAt, names.LOOK_AT, _look_at),
    _motion_action(SetAntennas, names.SET_ANTENNAS, _set_antennas),
    _motion_action(RotateBody, names.ROTATE_BODY, _rotate_body),
    _motion_action(ExpressEmotion, names.EXPRESS_EMOTION, _express_emotion),
    _motion_action(Dance, names.DANCE, _dance),
)
"""Actions for single tools, each with the name of its tool."""
