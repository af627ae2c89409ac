"""Actions `converse` and `call_tool`. Their goals are cancelled if the calling node leaves the graph."""

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
from reachy_agent_ros.agent.permissions.permissions import Call, PermissionVerdict
from reachy_agent_ros.agent.permissions.tool_executor import ToolExecutor
from reachy_agent_ros.agent.request_phrases import question
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import HALTS
from reachy_agent_ros.ros.agent.agent_messages import feedback_message, request_from_goal, result_message
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

_log = logging.getLogger(__name__)

TakeTurn = Callable[[TurnRequest, Callable[[Event], None], CancelToken], "concurrent.futures.Future[TurnResult]"]
"""Function that starts a turn. The second argument is a callback for its events, which runs in another thread."""

_CANCELED = "The call was canceled."
_STOPPED = "The robot was stopped, which ended this call."

SESSION_PREFIX = "calls of "
"""Prefix of session ids. All calls by one caller form a conversation, because grants are limited to a conversation."""

LOOK_PERIOD = 1.0
"""Period at which the list of nodes is read while there are goals, s."""

DISCOVERY_TIME = 10.0
"""Time after a goal's acceptance within which the calling node must be discovered, s. It usually takes milliseconds."""


class ConverseServer:
    """Action server of `converse`.

    Args:
        node: Node that serves the action.
        take_turn: Function that starts a turn.
        callers: Monitor that cancels the turns of lost callers.
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
    """Action server of `call_tool`.

    Args:
        node: Node that serves the action.
        executor: Checks permissions and executes the calls.
        loop: Event loop of the agent.
        stop: Called when `stop` or `pause` is called, which ends all turns and all other calls.
        callers: Monitor that cancels the calls of lost callers.
    """

    def __init__(
        self, node: Node, executor: ToolExecutor, loop: EventLoop, stop: Callable[[], None], callers: CallerWatch
    ) -> None:
        self._executor = executor
        self._loop = loop
        self._stop = stop
        self._callers = callers
        self._open: set[Goal] = set()
        self._stopped: set[Goal] = set()
        self._server = GoalServer(node, ExecuteTool, names.CALL_TOOL, self._begin)

    def end_all(self) -> None:
        """Cancels all running calls and all calls that wait for approval, after a stop of the robot. Thread-safe.

        A later approval is rejected and has no effect. A call to `stop` or `pause` continues, because a stop may arrive
        in several ways at once.
        """
        for goal in self._open.copy():
            if goal.request.name not in HALTS:
                self._stopped.add(goal)
                goal.cancel.cancel()

    def _begin(self, goal: Goal) -> None:
        if goal.request.name in HALTS:
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
                asked = question(goal.request.name, goal.request.arguments_json)
                why = f"{verdict.reason[:1].upper()}{verdict.reason[1:]}"
                waits = f"waits for a person's approval: {asked} {why}. To approve it: reachy-agent approvals yes"
                goal.report(ExecuteTool.Feedback(status=waits))

        def report(progress: float, status: str) -> None:
            goal.report(ExecuteTool.Feedback(progress=progress, status=status))

        self._open.add(goal)
        self._callers.add(goal)
        work = self._loop.submit(self._executor.call(call, tell, report), goal.cancel)
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

    The middleware removes the nodes of a killed process after a silence of `transport.LEASE`. The loss of the gateway
    is detected sooner, by its heartbeat, because it ends the connections of its clients.


    Args:
        node: Node that serves the goals.


    Attributes:
        gateway: Monitor of the gateway's heartbeat.
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
        """Monitors the calling node of a goal, if the goal names this node."""
        if goal.request.caller_node:
            self._goals.add(goal)

    def discard(self, goal: Goal) -> None:
        """Removes a goal that has ended. Thread-safe."""
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
    """Returns the result of a turn. A shutdown or an unexpected exception becomes an error result."""
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
