"""An action whose goals run as tool calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node

from reachy_agent_ros.ros.rclpy_ext.goal import Goal
from reachy_agent_ros.ros.rclpy_ext.goal_server import GoalServer
from reachy_agent_ros.tools.call import ToolOutcome, ToolRequest
from reachy_agent_ros.tools.context import Progress
from reachy_agent_ros.tools.runner import ToolRunner


@dataclass(frozen=True)
class ToolAction:
    """Between one action's messages and tool calls.

    Attributes:
        action_type: For example `reachy_agent_msgs.action.MoveHead`.
        name: Action name.
        request: The call that a goal asks for; raises `AgentError` where the goal contradicts itself.
        result: Result message of an outcome, but for its error.
        feedback: Feedback message of a call's progress, None where it has none to give.
    """

    action_type: type
    name: str
    request: Callable[[Any], ToolRequest]
    result: Callable[[ToolOutcome], Any]
    feedback: Callable[[Progress], Any | None]


class ToolActionServer:
    """Serves one action through the tool runner.

    Args:
        node: Node that serves it.
        runner: Runs the calls.
        action: What it serves.
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

    def _end(self, goal: Goal, outcome: ToolOutcome) -> None:
        end = "done" if outcome.error is None else f"{outcome.error.code.name}: {outcome.error.message!r:.300}"
        self._logger.info(f"{self._action.name} {goal.id}: {end} after {outcome.elapsed:.3f} s")
        goal.end(self._action.result(outcome), outcome.error)

    def _report(self, goal: Goal, progress: Progress) -> None:
        feedback = self._action.feedback(progress)
        if feedback is not None:
            goal.report(feedback)
