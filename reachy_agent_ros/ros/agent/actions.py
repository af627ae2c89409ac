"""The agent's actions `converse` and `call_tool`, whose goals end when their caller leaves the graph."""

from __future__ import annotations

import concurrent.futures
import logging
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from reachy_agent_msgs.action import Converse, ExecuteTool

from reachy_agent_ros.agent.conversation.turn import Event
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.permissions.permissions import STOP, Call, PermissionVerdict
from reachy_agent_ros.agent.permissions.tool_executor import ToolExecutor
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.agent.agent_messages import feedback_message, request_from_goal, result_message
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

_log = logging.getLogger(__name__)

TakeTurn = Callable[[TurnRequest, Callable[[Event], None], CancelToken], "concurrent.futures.Future[TurnResult]"]
"""Starts a turn; its events go to the second argument, in another thread."""

_CANCELED = "The call was cancelled."
_STOPPED = "The robot was stopped, which ended this call."

SESSION_PREFIX = "calls of "
"""Grants hold in a conversation; the calls of one caller are one."""

LOOK_PERIOD = 1.0
"""s between two looks at the graph while there are goals."""

DISCOVERY_TIME = 10.0
"""s from a goal's acceptance in which its node must be found in the graph; on an idle machine it takes milliseconds."""


class ConverseServer:
    """Serves `converse`.

    Args:
        node: Node that serves it.
        take_turn: Starts a turn.
        callers: Ends the turns of callers that are gone.
    """

    def __init__(self, node: Node, take_turn: TakeTurn, callers: CallerWatch) -> None:
        self._take_turn = take_turn
        self._callers = callers
        self._server = GoalServer(node, Converse, names.CONVERSE, self._begin)

    def _begin(self, goal: Goal) -> None:
        request = request_from_goal(goal.request, goal.id)
        self._callers.add(goal)
        turn = self._take_turn(request, lambda event: _tell(goal, event), goal.cancel)
        turn.add_done_callback(lambda ended: self._end(goal, request, _turn_outcome(ended)))

    def _end(self, goal: Goal, request: TurnRequest, result: TurnResult) -> None:
        self._callers.discard(goal)
        goal.end(result_message(request, result), result.error)


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
        self, node: Node, gate: ToolExecutor, loop: EventLoop, stop: Callable[[], None], callers: CallerWatch
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

        def tell(verdict: PermissionVerdict) -> None:
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
        outcome = _tool_outcome(done, _STOPPED if goal in self._stopped else _CANCELED)
        self._stopped.discard(goal)
        elapsed = duration_message(time.monotonic() - goal.accepted)
        goal.end(ExecuteTool.Result(result_json=outcome.result_json, elapsed=elapsed), outcome.error)


class CallerWatch:
    """Cancels the goals of nodes that have left the graph.

    A killed process does not say goodbye: the middleware removes its nodes when it was silent for `transport.LEASE`.
    The gateway has a heartbeat, which stops sooner, and with it ended the connections of those who asked.

    Args:
        node: Node that serves the goals.

    Attributes:
        gateway: Watches the gateway's heartbeat.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._goals: set[Goal] = set()
        self._present: set[str] = set()
        self.gateway = HeartbeatMonitor(node, names.GATEWAY)
        gateway = f"{node.get_namespace().rstrip('/')}/{names.GATEWAY}"
        self.gateway.on_lost(lambda: self._end({gateway}))
        node.create_timer(LOOK_PERIOD, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def add(self, goal: Goal) -> None:
        """Watches the caller of a goal, if the goal names the node of its caller."""
        if goal.request.caller_node:
            self._goals.add(goal)

    def discard(self, goal: Goal) -> None:
        """Forgets a goal that has ended, from any thread."""
        self._goals.discard(goal)

    def _look(self) -> None:
        if not self._goals:
            self._present = set()
            return
        before, self._present = self._present, set(self._node.get_fully_qualified_node_names())
        late = {goal.request.caller_node for goal in self._goals.copy() if _is_old(goal)}
        self._end((before | late) - self._present)

    def _end(self, gone: set[str]) -> None:
        for goal in self._goals.copy():
            if goal.request.caller_node in gone:
                goal.cancel.cancel()


def _tell(goal: Goal, event: Event) -> None:
    feedback = feedback_message(event)
    if feedback is not None:
        goal.report(feedback)


def _turn_outcome(ended: concurrent.futures.Future[TurnResult]) -> TurnResult:
    """A turn always returns; what is caught here is the end of the node, or a fault of ours that nobody may wait on."""
    if ended.cancelled():
        return TurnResult(error=AgentError(ErrorCode.SHUTTING_DOWN, "The agent is shutting down."))
    fault = ended.exception()
    if fault is None:
        return ended.result()
    _log.error("A turn failed", exc_info=fault)
    return TurnResult(error=AgentError(ErrorCode.INTERNAL, f"The turn failed: {fault!r}"))


def _tool_outcome(done: Future[ToolOutcome], reason: str) -> ToolOutcome:
    if done.cancelled():
        return ToolOutcome("{}", AgentError(ErrorCode.CANCELED, reason))
    fault = done.exception()
    if fault is None:
        return done.result()
    return ToolOutcome("{}", AgentError(ErrorCode.INTERNAL, f"The call failed: {fault!r}"))


def _is_old(goal: Goal) -> bool:
    return time.monotonic() - goal.accepted > DISCOVERY_TIME
