"""The action `call_tool`: a tool for whoever is no agent of ours, by the same permissions and on the same record."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future

from rclpy.node import Node
from reachy_agent_msgs.action import ExecuteTool

from reachy_agent_ros.agent.permissions.call import Call
from reachy_agent_ros.agent.permissions.permissions import STOP, Verdict
from reachy_agent_ros.agent.permissions.tool_gate import ToolGate
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.agent.caller_watch import CallerWatch
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.goal import Goal
from reachy_agent_ros.ros.rclpy_ext.goal_server import GoalServer
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

_CANCELED = "The call was cancelled."
_STOPPED = "The robot was stopped, which ended this call."

SESSION_PREFIX = "calls of "
"""Grants hold in a conversation; the calls of one caller are one."""


class ToolCallServer:
    """Serves `call_tool`.

    Args:
        node: Node that serves it.
        gate: What every call passes.
        loop: The mind's event loop.
        stop: Called at a call of `stop`, to end the turns and all other calls.
        callers: Ends the calls of callers that are gone.
    """

    def __init__(
        self, node: Node, gate: ToolGate, loop: EventLoop, stop: Callable[[], None], callers: CallerWatch
    ) -> None:
        self._gate = gate
        self._loop = loop
        self._stop = stop
        self._callers = callers
        self._open: set[Goal] = set()
        self._stopped: set[Goal] = set()
        self._server = GoalServer(node, ExecuteTool, names.CALL_TOOL, self._begin)

    def end_all(self) -> None:
        """Ends every call that runs or waits for a person: who stopped the robot wants none of them any more.

        An answer that comes later has no effect, and is told so. From any thread. A call of `stop` goes on: a stop may
        come by several ways at once.
        """
        for goal in self._open.copy():
            if goal.request.name != STOP:
                self._stopped.add(goal)
                goal.cancel.cancel()

    def _begin(self, goal: Goal) -> None:
        if goal.request.name == STOP:
            self._stop()
        caller = goal.request.caller or "somebody"
        turn_id = uuid_from_message(goal.request.turn_id)
        call = Call(
            goal.request.name,
            goal.request.arguments_json,
            f"{SESSION_PREFIX}{caller}",
            turn_id if turn_id.int else uuid.UUID(int=goal.id.int),
            caller,
            asked_by=goal.request.asked_by,
        )

        def tell(verdict: Verdict) -> None:
            if verdict.must_ask:
                goal.report(ExecuteTool.Feedback(status=f"waits for a person's approval: {verdict.reason}"))

        def report(progress: float, status: str) -> None:
            goal.report(ExecuteTool.Feedback(progress=progress, status=status))

        self._open.add(goal)
        self._callers.add(goal)
        work = self._loop.submit(self._gate.call(call, tell, report), goal.cancel)
        work.add_done_callback(lambda done: self._end(goal, done))

    def _end(self, goal: Goal, done: Future[ToolOutcome]) -> None:
        self._open.discard(goal)
        self._callers.discard(goal)
        outcome = _outcome(done, _STOPPED if goal in self._stopped else _CANCELED)
        self._stopped.discard(goal)
        elapsed = duration_message(time.monotonic() - goal.accepted)
        goal.end(ExecuteTool.Result(result_json=outcome.result_json, elapsed=elapsed), outcome.error)


def _outcome(done: Future[ToolOutcome], reason: str) -> ToolOutcome:
    if done.cancelled():
        return ToolOutcome("{}", AgentError(ErrorCode.CANCELED, reason))
    fault = done.exception()
    if fault is None:
        return done.result()
    return ToolOutcome("{}", AgentError(ErrorCode.INTERNAL, f"The call failed: {fault!r}"))
