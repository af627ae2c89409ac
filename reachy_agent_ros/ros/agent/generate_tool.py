"""Action `generate_tool`: in a separate turn, the model writes a tool for a client."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Awaitable, Callable
from concurrent.futures import Future

from rclpy.node import Node
from reachy_agent_msgs.action import GenerateTool
from reachy_agent_msgs.srv import GetTool

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.conversation.tool_writing import WRITE_TOOL, ToolOrder, WrittenTool, written_tool
from reachy_agent_ros.agent.conversation.turn import AgentStarted, Event, Queued, ToolEnded, ToolStarted, Waiting
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult, TurnSource
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.agent.actions import CallerWatch
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop, in_thread
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.principal_messages import principal_from_message
from reachy_agent_ros.ros.tool_server.toolsmith_messages import cases_from_messages

_log = logging.getLogger(__name__)

SESSION = "tools that were asked for"
"""Separate conversation, so that programs' requests do not mix with people's conversations."""

LONGEST_WRITING = 600.0
"""Default time limit for a turn in which the model writes, verifies and repairs a tool, s."""

_ANSWER_TIME = 10.0
"""Time limit for the tool server to read a tool from disk, s."""

_LONGEST_MESSAGE = 500
"""Maximum length of an error message, characters."""

TakeTurn = Callable[[TurnRequest, Callable[[Event], None]], Awaitable[TurnResult]]
"""Function that runs a turn. The second argument is a callback for its events."""


class GenerateToolServer:
    """Action server of `generate_tool`.

    Args:
        node: Node that serves the action.
        take_turn: Function that runs the turn of a goal.
        loop: Event loop of the agent.
        tool_server: Heartbeat monitor of the node that stores the tools.
        callers: Monitor that cancels the turns of lost callers.
    """

    def __init__(
        self,
        node: Node,
        take_turn: TakeTurn,
        loop: EventLoop,
        tool_server: HeartbeatMonitor,
        callers: CallerWatch,
    ) -> None:
        self._take_turn = take_turn
        self._loop = loop
        self._callers = callers
        self._tools = ServiceCaller(node, GetTool, names.GET_TOOL, tool_server)
        self._server = GoalServer(node, GenerateTool, names.GENERATE_TOOL, self._begin)

    def _begin(self, goal: Goal) -> None:
        request = _request(goal.request, goal.id)
        self._callers.add(goal)
        work = self._loop.submit(self._generated(request, goal), goal.cancel)
        work.add_done_callback(lambda done: self._end(goal, done))

    async def _generated(self, request: TurnRequest, goal: Goal) -> GenerateTool.Result:
        progress = _Progress(goal)
        turn = await self._take_turn(request, progress.watch)
        if progress.tool is None:
            raise turn.error or _nothing_written(turn)
        return await self._registered(progress.tool)  # even if the turn failed after registering the tool

    async def _registered(self, tool: WrittenTool) -> GenerateTool.Result:
        """Returns the registered version with the results of its verification."""
        request = GetTool.Request(name=tool.name, version=tool.version)
        kept = await in_thread(lambda token: self._tools.ask(request, _ANSWER_TIME, token))
        version = next(one for one in kept.versions if one.version == tool.version)
        return GenerateTool.Result(
            name=tool.name,
            version=tool.version,
            registered=not tool.waiting,
            waiting_for_review=tool.waiting,
            source=kept.source,
            verdicts=version.verdicts,
            results=kept.results,
        )

    def _end(self, goal: Goal, done: Future[GenerateTool.Result]) -> None:
        self._callers.discard(goal)
        if done.cancelled():
            goal.end(GenerateTool.Result(), AgentError(ErrorCode.CANCELED, "The turn was canceled."))
            return
        fault = done.exception()
        if fault is None:
            goal.end(done.result())
        elif isinstance(fault, AgentError):
            goal.end(GenerateTool.Result(), fault)
        else:
            _log.error("A tool could not be generated", exc_info=fault)
            goal.end(GenerateTool.Result(), AgentError(ErrorCode.INTERNAL, f"The turn failed: {fault!r}"))


class _Progress:
    """Reports the steps of a tool-writing turn, and records the last registered tool.

    Args:
        goal: Goal that receives the feedback.


    Attributes:
        tool: Registered tool; None before registration.
    """

    def __init__(self, goal: Goal) -> None:
        self.tool: WrittenTool | None = None
        self._goal = goal
        self._attempts = 0

    def watch(self, event: Event) -> None:
        """Handles an event of the turn: reports the step as feedback of the goal."""
        step = self._step(event)
        if step:
            self._goal.report(GenerateTool.Feedback(step=step))

    def _step(self, event: Event) -> str:
        match event:
            case Queued(ahead):
                return phrases.queued(ahead)
            case Waiting(reason):
                return reason
            case AgentStarted(agent):
                return f"The agent {agent!r} works."
            case ToolStarted(name, _):
                self._attempts += name == WRITE_TOOL
                return f"Attempt {self._attempts} is verified." if name == WRITE_TOOL else f"{name} runs."
            case ToolEnded(name, outcome) if name == WRITE_TOOL:
                self.tool = written_tool(outcome) or self.tool
                if outcome.error is None:
                    return self.tool.summary if self.tool is not None else ""
                return f"Attempt {self._attempts} was refused: {outcome.error.message}"
        return ""


def _request(goal: GenerateTool.Goal, turn_id: uuid.UUID) -> TurnRequest:
    """Converts a `generate_tool` goal to a turn request.

    Raises:
        AgentError: `INVALID_GOAL` if the description is empty, `INVALID_ARGUMENTS` if a test case or `asked_by` is
            invalid.
    """
    if not goal.description.strip():
        raise AgentError(ErrorCode.INVALID_GOAL, "Empty description: describe what the tool should do.")
    cases = [case.document for case in cases_from_messages(goal.cases)]
    order = ToolOrder(goal.description, json.dumps(cases, ensure_ascii=False))
    return TurnRequest(
        text=order.text,
        session_id=SESSION,
        source=TurnSource.REMOTE,
        time_allowance=seconds_of(goal.time_allowance) or LONGEST_WRITING,
        turn_id=turn_id,
        principal=principal_from_message(goal.asked_by),
        order=order,
    )


def _nothing_written(turn: TurnResult) -> AgentError:
    message = f"The agent wrote no tool. Its reply: {turn.reply}"
    return AgentError(ErrorCode.VALIDATION_FAILED, message[:_LONGEST_MESSAGE])
