"""The agent: takes sentences, typed or heard, and sees them through."""

from __future__ import annotations

import concurrent.futures
import contextlib
import sys
import uuid
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from diagnostic_msgs.msg import DiagnosticStatus
from reachy_agent_msgs.msg import ApprovalList, Heartbeat, Reply, TurnTrace
from reachy_agent_msgs.srv import DecideApproval

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.mind.conversation import Bounds, Conversation
from reachy_agent_ros.mind.events import Clause, Event
from reachy_agent_ros.mind.memory.redaction import redacted
from reachy_agent_ros.mind.model import sdk
from reachy_agent_ros.mind.model.access import ModelAccess
from reachy_agent_ros.mind.model.endpoint import Endpoint
from reachy_agent_ros.mind.model.self_tests import SelfTests, self_tests_path
from reachy_agent_ros.mind.permissions.approvals import Approvals
from reachy_agent_ros.mind.permissions.pending_approval import PendingApproval
from reachy_agent_ros.mind.sessions import SessionStore
from reachy_agent_ros.mind.spoken_turns import SpokenTurns
from reachy_agent_ros.mind.trace import Span, SpanKind
from reachy_agent_ros.mind.trace_export import TraceExport, trace_export
from reachy_agent_ros.mind.trace_recorder import TraceRecorder
from reachy_agent_ros.mind.trace_store import TraceStore
from reachy_agent_ros.mind.turn import TurnRequest, TurnResult
from reachy_agent_ros.nodes import turn_messages
from reachy_agent_ros.nodes.base import AgentNode, run
from reachy_agent_ros.nodes.converse_action import ConverseServer
from reachy_agent_ros.nodes.convert import uuid_from_message
from reachy_agent_ros.nodes.dialogue import Dialogue
from reachy_agent_ros.nodes.event_loop import EventLoop
from reachy_agent_ros.nodes.qos import LATCHED, STANDARD
from reachy_agent_ros.nodes.ros_surroundings import RosSurroundings

TOOLS_PATIENCE = 5.0
"""Seconds to wait for the tools before it goes to work without: the first sentence should find them."""


class Agent(AgentNode):
    """Between ROS and a conversation, which runs on an event loop of its own and so blocks no callback."""

    def __init__(self) -> None:
        super().__init__(names.AGENT)
        self._replies = self.create_publisher(Reply, names.REPLY, STANDARD)
        self._spans = self.create_publisher(TurnTrace, names.TURN_TRACE, STANDARD)
        self._waiting = self.create_publisher(ApprovalList, names.APPROVALS, LATCHED)
        self._access = ModelAccess(self._endpoint(), self_tests=SelfTests(self_tests_path()))
        approval_time = self.parameter(
            "approval_time", 60.0, "Time a person has to approve a tool call, s", low=1.0, high=3600.0
        )
        self._approvals = Approvals(approval_time, self._publish_approvals)
        surroundings = RosSurroundings(self, self._ready)
        self._conversation = Conversation(surroundings, self._access, self._sessions(), self._approvals, self._bounds())
        self._recorder = TraceRecorder(TraceStore(), redact=redacted)
        self._export = self._trace_export()
        self._loop = EventLoop()
        self._server = ConverseServer(self, self._take_turn)
        spoken_turns = partial(SpokenTurns, self._conversation, surroundings, self._turn, self._ignore)
        self._dialogue = Dialogue(self, self._loop, spoken_turns)
        self.create_service(DecideApproval, names.DECIDE_APPROVAL, self._decide)
        self._publish_approvals([])
        self._patience = self.every(TOOLS_PATIENCE, self._do_without_tools)

    def working(self) -> bool:
        """Whether the event loop turns."""
        return self._loop.working()

    def diagnose(self) -> Iterable[DiagnosticStatus]:
        """Whether there is a model, and whether a turn runs."""
        fine = self._access.available or not self._access.configured
        level = DiagnosticStatus.OK if fine else DiagnosticStatus.WARN
        yield self.status("model", level, self._access.status, endpoint=self._access.endpoint.shown)
        yield self.status("turns", DiagnosticStatus.OK, "busy" if self._conversation.busy else "idle")
        dropped = self._recorder.dropped
        level, message = (DiagnosticStatus.WARN, "spans were lost") if dropped else (DiagnosticStatus.OK, "recorded")
        yield self.status("traces", level, message, lost=dropped)

    def close(self) -> None:
        """Ends what runs."""
        self._loop.submit(self._access.close()).result(2.0)
        self._loop.close()
        self._recorder.close()
        if self._export is not None:
            self._export.close()

    def _ready(self) -> None:
        self.state, self.state_detail = Heartbeat.READY, ""
        self._patience.cancel()
        self._loop.submit(self._meet_model())

    def _do_without_tools(self) -> None:
        self.state, self.state_detail = Heartbeat.DEGRADED, "tool_server has listed no tools yet."
        self._patience.cancel()

    def _endpoint(self) -> Endpoint:
        return Endpoint(
            url=self.parameter("model_endpoint", "", "Base URL of an OpenAI-compatible endpoint; empty for none"),
            model=self.parameter("model_name", "", "Name of the model at the endpoint"),
            timeout=self.parameter("model_timeout", 60.0, "Time a model has to answer, s", low=0.1, high=600.0),
            max_tokens=self.parameter("model_max_tokens", 512, "Longest answer of a model, tokens", low=16, high=8192),
        )

    def _sessions(self) -> SessionStore:
        path = self.parameter("session_database", "", "SQLite file of conversations; empty: in the state directory")
        return SessionStore(Path(path) if path else state_directory() / "sessions.sqlite3")

    def _trace_export(self) -> TraceExport | None:
        return trace_export(
            self.parameter(
                "trace_collector", "", "URL of an OTLP collector of traces; empty: OTEL_EXPORTER_OTLP_ENDPOINT, or none"
            )
        )

    def _bounds(self) -> Bounds:
        return Bounds(
            seconds=self.parameter("turn_time", 120.0, "Time a turn may take, s", low=1.0, high=3600.0),
            tokens=self.parameter("turn_tokens", 40_000, "Tokens a turn may use", low=100, high=10_000_000),
        )

    async def _meet_model(self) -> None:
        """Makes ready what the reflex, which obeys already, does without."""
        await sdk.load()
        if not self._access.configured:
            return
        with contextlib.suppress(AgentError):  # diagnostics tell it; the first turn that needs the model asks again
            await self._access.model()

    def _take_turn(
        self, request: TurnRequest, observe: Callable[[Event], None], cancel: CancelToken
    ) -> concurrent.futures.Future[TurnResult]:
        return self._loop.submit(self._turn(request, observe), cancel)

    async def _turn(self, request: TurnRequest, observe: Callable[[Event], None] = lambda _event: None) -> TurnResult:
        clauses = 0

        def watch(event: Event) -> None:
            nonlocal clauses
            observe(event)
            if isinstance(event, Clause):
                clauses = event.sequence + 1
                self._replies.publish(turn_messages.clause_message(self.header(), request, event.sequence, event.text))

        result = await self._conversation.converse(request, watch, partial(self._keep, request))
        self._replies.publish(turn_messages.final_reply(self.header(), request, clauses, result))
        return result

    def _keep(self, request: TurnRequest, span: Span) -> None:
        self._spans.publish(turn_messages.span_message(self.header(), request, span))
        self._recorder.record(request.turn_id, request.session_id, span)
        if self._export is not None:
            self._export.record(request.turn_id, request.session_id, span)

    def _ignore(self, utterance_id: uuid.UUID, reason: str) -> None:
        self._spans.publish(turn_messages.ignored_message(self.header(), utterance_id, reason))
        self._recorder.record(utterance_id, "", Span(0, SpanKind.HEARING, "attention", 0.0, summary=reason))

    def _decide(self, request: DecideApproval.Request, response: DecideApproval.Response) -> DecideApproval.Response:
        try:
            self._approvals.decide(uuid_from_message(request.approval_id), request.approve)
        except AgentError as error:
            response.error_code, response.error_msg = int(error.code), error.message
        return response

    def _publish_approvals(self, pending: list[PendingApproval]) -> None:
        approvals = [turn_messages.approval_message(one) for one in pending]
        self._waiting.publish(ApprovalList(header=self.header(), approvals=approvals))


def main() -> int:
    """Runs the node."""
    return run(Agent)


if __name__ == "__main__":
    sys.exit(main())
