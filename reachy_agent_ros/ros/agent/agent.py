"""Node `agent`: answers typed and spoken sentences with tools, permissions, plans and memory."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import sys
import uuid
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.msg import AgentState, ApprovalList, GrantList, Heartbeat, Plan, Reply, TurnTrace

from reachy_agent_ros.agent.agent_settings import Watchers
from reachy_agent_ros.agent.conversation.spoken_turns import SpokenTurns
from reachy_agent_ros.agent.conversation.status import Status
from reachy_agent_ros.agent.conversation.turn import Event, SpokenClause
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.memory.redaction import redacted
from reachy_agent_ros.agent.model import sdk
from reachy_agent_ros.agent.permissions.grants import Grant
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.agent.robot_agent import RobotAgent
from reachy_agent_ros.agent.traces.trace import Span, SpanKind
from reachy_agent_ros.agent.traces.trace_export import TraceExport, trace_export
from reachy_agent_ros.agent.traces.trace_recorder import TraceRecorder
from reachy_agent_ros.agent.traces.trace_store import TraceStore
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.agent import agent_messages
from reachy_agent_ros.ros.agent.actions import CallerWatch, ConverseServer, ToolCallServer
from reachy_agent_ros.ros.agent.agent_parameters import AgentParameters
from reachy_agent_ros.ros.agent.generate_tool import GenerateToolServer
from reachy_agent_ros.ros.agent.job_services import JobServices
from reachy_agent_ros.ros.agent.permission_services import PermissionServices
from reachy_agent_ros.ros.agent.ros_surroundings import RosSurroundings
from reachy_agent_ros.ros.agent.schedule_services import ScheduleServices
from reachy_agent_ros.ros.agent.settings_services import SettingsServices
from reachy_agent_ros.ros.agent.spoken_turn_adapter import SpokenTurnAdapter
from reachy_agent_ros.ros.agent.stored_data_messages import span_message
from reachy_agent_ros.ros.agent.stored_data_services import StoredDataServices
from reachy_agent_ros.ros.agent.tool_choices import ToolChoices
from reachy_agent_ros.ros.client.emergency_stop import EmergencyStopWatch
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode, run
from reachy_agent_ros.ros.rclpy_ext.event_loop import EventLoop
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD

CLOSING_TIME = 5.0
"""Time limit for ending everything at shutdown, including third-party servers, s."""

MODEL_CHECK_PERIOD = 10.0
"""Time between two checks of model servers that do not answer, s."""

STATE_PERIOD = 1.0
"""Time between two updates of the node's state, s."""

TOOLS_PATIENCE = 5.0
"""Time to wait for the tool catalog before the node works without tools, s."""


ANNOUNCER = "announcer"
"""Value of `Reply.agent` for announcements. They belong to no recorded turn."""


class Agent(AgentNode):
    """ROS interface of `RobotAgent`. The agent runs on a separate event loop, so it does not block callbacks."""

    def __init__(self) -> None:
        super().__init__(names.AGENT)
        self._replies = self.create_publisher(Reply, names.REPLY, STANDARD)
        self._spans = self.create_publisher(TurnTrace, names.TURN_TRACE, STANDARD)
        self._waiting = self.create_publisher(ApprovalList, names.APPROVALS, LATCHED)
        self._granted = self.create_publisher(GrantList, names.GRANTS, LATCHED)
        self._states = self.create_publisher(AgentState, names.AGENT_STATE, LATCHED)
        self._plans = self.create_publisher(Plan, names.PLAN, LATCHED)
        parameters = AgentParameters(self)
        self._access = parameters.access
        self._known_tools = False
        traces = TraceStore()
        self._recorder = TraceRecorder(traces, redact=redacted)
        self._export = self._trace_export()
        self._choices = ToolChoices(self, parameters.embedder)
        settings = replace(parameters.settings, preference=self._choices)
        surroundings = RosSurroundings(self, self._ready, self._end_all)
        watchers = Watchers(
            self._publish_state,
            self._publish_approvals,
            self._publish_grants,
            self._publish_plan,
            lambda: self._calls.end_all(),
            lambda: self._schedule.publish(),
            self._show_announcement,
            lambda: self._jobs.publish(),
        )
        self._agent = RobotAgent(surroundings, self._access, parameters.directory, settings, watchers)
        self._agent.review = parameters.review
        self._loop = EventLoop()
        callers = CallerWatch(self)
        self._server = ConverseServer(self, self._take_turn, callers)
        self._calls = ToolCallServer(self, self._agent.executor, self._loop, self._end_all, callers)
        self._orders = GenerateToolServer(self, self._turn, self._loop, surroundings.tool_server, callers)
        self._spoken_turns = SpokenTurnAdapter(
            self,
            self._loop,
            parameters.names,
            partial(SpokenTurns, self._agent.conversation, self._turn, self._ignore),
            callers.gateway,
        )
        self._emergency_stop_watch = EmergencyStopWatch(self, self._end_all)
        self._permissions = PermissionServices(self, self._agent.office, self._loop)
        self._settings = SettingsServices(self, self._agent, self._loop, self._show)
        self._stored = StoredDataServices(self, self._agent, traces, self._loop, self._spoken_turns, self._show)
        self._schedule = ScheduleServices(self, self._agent, self._loop)
        self._jobs = JobServices(self, self._agent.jobs, self._loop)
        self._publish_approvals([])
        self._publish_grants([])
        self._show()
        self._lasting = [self._loop.submit(work.run()) for work in (self._agent.announcer, self._agent.jobs)]
        self._patience = self.every(TOOLS_PATIENCE, self._do_without_tools)
        self.every(STATE_PERIOD, self._update_state)
        self.every(MODEL_CHECK_PERIOD, self._check_silent_model)
        if self._access.configured:
            self._loop.submit(self._check_model())

    def working(self) -> bool:
        """Returns whether the event loop is responsive, the schedule is announced, and background jobs run."""
        return self._loop.working() and not any(work.done() for work in self._lasting)

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Yields the diagnostics of the models, turns, traces and stored data."""
        fine = self._access.available or not self._access.asked
        level = DiagnosticStatus.OK if fine else DiagnosticStatus.WARN
        links = {link.endpoint.shown: link.status for link in self._access.links}
        yield self.status("model", level, self._access.status, endpoint=self._access.endpoint.shown, **links)
        yield self.status("turns", DiagnosticStatus.OK, "busy" if self._agent.conversation.busy else "idle")
        dropped = self._recorder.dropped
        yield self._judged("traces", f"{dropped} spans were lost" if dropped else "", lost=dropped)
        yield from (self._judged(concern, problem) for concern, problem in self._agent.problems().items())

    def close(self) -> None:
        """Ends all turns. Keeps pending approvals for the next process."""
        with contextlib.suppress(TimeoutError):
            self._loop.submit(self._end()).result(CLOSING_TIME)
        self._loop.close()
        self._recorder.close()
        if self._export is not None:
            self._export.close()

    def _end_all(self) -> None:
        """Ends all turns and tool calls, because the robot was stopped."""
        self._loop.call(self._agent.conversation.end_all)

    async def _end(self) -> None:
        for work in self._lasting:
            work.cancel()
        await self._agent.close()
        await self._access.close()

    def _ready(self) -> None:
        """Handles a tool catalog. The first one makes the agent ready; the node also waits for a check of the model."""
        if self._known_tools:
            self._loop.submit(self._agent.know_tools())
            return
        self._known_tools = True
        self._update_state()
        self._patience.cancel()
        self._agent.status.ready()
        self._loop.submit(self._begin())

    def _do_without_tools(self) -> None:
        self.state, self.state_detail = Heartbeat.DEGRADED, "tool_server has listed no tools yet."
        self._patience.cancel()

    def _update_state(self) -> None:
        """Updates the heartbeat. The node is ready when it has tools and has checked the model."""
        if self._known_tools and self._access.checked:
            problem = self._access.problem
            limitation = f"{problem.rstrip('.')}. Until then only commands work." if problem else ""
            self.note_problem(limitation, self._agent.office.unknown_tools())

    def _check_silent_model(self) -> None:
        if self._access.problem:
            self._loop.submit(self._check_model())

    async def _check_model(self) -> None:
        await self._access.check()
        self.in_executor(self._update_state)

    def _trace_export(self) -> TraceExport | None:
        return trace_export(self.parameter("trace_collector"))

    async def _begin(self) -> None:
        """Loads the parts of the agent that are not needed for reflex commands. Reflex commands already work."""
        prepared = asyncio.Event()
        for turn in self._agent.take_up(
            self._observer, self._publisher, prepared.wait
        ):  # turns with a pending approval
            turn.add_done_callback(lambda done: self._tell_end(*done.result()))
        await self._agent.begin()
        await sdk.load()
        prepared.set()
        if not self._access.configured:
            return
        with contextlib.suppress(AgentError):  # shown by diagnostics; the first turn that needs the model retries
            await self._access.model()

    def _take_turn(
        self, request: TurnRequest, observe: Callable[[Event], None], cancel: CancelToken
    ) -> concurrent.futures.Future[TurnResult]:
        return self._loop.submit(self._turn(request, observe), cancel)

    async def _turn(self, request: TurnRequest, observe: Callable[[Event], None] = lambda _event: None) -> TurnResult:
        tell = self._observer(request)

        def watch(event: Event) -> None:
            observe(event)
            tell(event)

        result = await self._agent.conversation.converse(request, watch, self._publisher(request))
        self._tell_end(request, result)
        return result

    def _observer(self, request: TurnRequest) -> Callable[[Event], None]:
        """Returns a callback that publishes the clauses and tool choices of a turn."""

        def watch(event: Event) -> None:
            self._choices.watch(request, event)
            if isinstance(event, SpokenClause):
                self._replies.publish(agent_messages.clause_message(self.header(), request, event.sequence, event.text))

        return watch

    def _publisher(self, request: TurnRequest) -> Callable[[Span], None]:
        """Returns a callback that publishes and records the spans of a turn."""

        def keep(span: Span) -> None:
            self._spans.publish(span_message(self.header(), request.turn_id, request.session_id, span))
            self._recorder.record(request.turn_id, request.session_id, span)
            if self._export is not None:
                self._export.record(request.turn_id, request.session_id, span)

        return keep

    def _tell_end(self, request: TurnRequest, result: TurnResult) -> None:
        self._choices.end(request, result)
        self._replies.publish(agent_messages.final_reply(self.header(), request, result))

    def _ignore(self, utterance_id: uuid.UUID, reason: str) -> None:
        self._spans.publish(agent_messages.ignored_message(self.header(), utterance_id, reason))
        self._recorder.record(utterance_id, "", Span(0, SpanKind.HEARING, "attention", 0.0, summary=reason))

    def _judged(self, concern: str, problem: str, **values: object) -> DiagnosticStatus:
        return self.status(concern, DiagnosticStatus.WARN if problem else DiagnosticStatus.OK, problem, **values)

    def _show_announcement(self, text: str) -> None:
        """Publishes an announcement of the schedule as a reply of its own turn."""
        request = TurnRequest("", session_id=self._spoken_turns.session_id)
        self._replies.publish(
            agent_messages.final_reply(self.header(), request, TurnResult(reply=text, agent=ANNOUNCER))
        )

    def _show(self) -> None:
        """Publishes the agent's state and plan, because a person's decision may have changed the state or the plan."""
        self._publish_state(self._agent.status.status)
        self._publish_plan(self._spoken_turns.session_id, self._agent.plans.tree(self._spoken_turns.session_id))

    def _publish_state(self, status: Status) -> None:
        message = agent_messages.state_message(
            self.header(), status, self._spoken_turns.session_id, self._agent.persona.name
        )
        self._states.publish(message)

    def _publish_approvals(self, pending: list[PendingApproval]) -> None:
        approvals = [agent_messages.approval_message(one, self._agent.question_about(one)) for one in pending]
        decided = [agent_messages.decision_message(one) for one in self._agent.office.approvals.decided()]
        self._waiting.publish(ApprovalList(header=self.header(), approvals=approvals, decided=decided))

    def _publish_grants(self, grants: list[Grant]) -> None:
        given = [agent_messages.grant_message(grant) for grant in grants]
        self._granted.publish(GrantList(header=self.header(), grants=given))

    def _publish_plan(self, session_id: str, tree: TaskTree | None) -> None:
        self._plans.publish(agent_messages.plan_message(self.header(), session_id, tree, self._agent.review))


def main() -> int:
    """Runs the node."""
    return run(Agent)


if __name__ == "__main__":
    sys.exit(main())
