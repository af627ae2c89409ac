"""Log of everything that a running agent publishes, for automatic evaluation and for human readers."""

from __future__ import annotations

import sys
import time
import uuid
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from reachy_agent_msgs.msg import AgentState, ApprovalList, Reply, TurnTrace

from evaluation.conversation.mind_topics import TOPICS, Topic
from reachy_agent_ros.agent.terminal_text import fit
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.client.graph_printer import SPANS
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD

EVERY = QoSProfile(depth=100, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""QoS profile of a subscriber that must also receive states that last only a millisecond."""

WIDTH = 140
"""Maximum length of a call and its result in the log, characters."""

LEVELS = {DiagnosticStatus.OK: "OK", DiagnosticStatus.WARN: "WARN", DiagnosticStatus.ERROR: "ERROR"}


class MindLog:
    """Log that records events from its construction and prints them to standard error.

    Args:
        client: Client in the graph.

    Attributes:
        now: Latest value of every latched topic.
        history: All values of each latched topic since `begin`, without repetitions.
        persona: Current persona of the robot.
        pending: IDs of the questions that wait for a person.
        replies: Texts of complete replies since `begin`.
        errors: Names of the errors with which the replies ended.
        tools: Tools since `begin` in the order of their ends, with a "!" if they failed or were canceled.
        diagnostics: Latest message of each diagnostic status of the agent.
        warnings: Diagnostic statuses that were not OK since `begin`.
    """

    def __init__(self, client: GraphClient) -> None:
        self._began = time.monotonic()
        self.now: dict[str, str] = {}
        self.persona = ""
        self.pending: list[uuid.UUID] = []
        self.diagnostics: dict[str, str] = {}
        self._lines: dict[str, str] = {}
        self.begin()
        subscribe = client.node.create_subscription
        for topic in TOPICS:
            subscribe(topic.kind, topic.name, self._shows(topic), EVERY)
        subscribe(AgentState, names.AGENT_STATE, self._be, LATCHED)
        subscribe(ApprovalList, names.APPROVALS, self._ask, LATCHED)
        subscribe(TurnTrace, names.TURN_TRACE, self._trace, STANDARD)
        subscribe(Reply, names.REPLY, self._reply, STANDARD)
        subscribe(DiagnosticArray, "/diagnostics", self._diagnose, STANDARD)

    def begin(self) -> None:
        """Clears the records for the next exchange."""
        self.history: dict[str, list[str]] = {topic.name: [] for topic in TOPICS}
        self.replies: list[str] = []
        self.errors: list[str] = []
        self.tools: list[str] = []
        self.warnings: set[str] = set()

    def forget(self) -> None:
        """Clears the published state, because the restarted agent publishes its state again after a kill."""
        self.now.clear()
        self.pending = []
        self.diagnostics.clear()
        self._lines.clear()

    def tell(self, what: str, line: str = "") -> None:
        """Adds a line to the log."""
        print(f"{time.monotonic() - self._began:7.2f} s  {what:<10} {line}", file=sys.stderr, flush=True)

    def _shows(self, topic: Topic) -> Any:
        def receive(message: Any) -> None:
            picture, line = topic.picture(message), topic.line(message)
            if self.now.get(topic.name) != picture:
                self.now[topic.name] = picture
                self.history[topic.name].append(picture)
            self._tell_change(topic.name, topic.name.removeprefix("agent_"), line)

        return receive

    def _be(self, message: AgentState) -> None:
        self.persona = message.persona

    def _ask(self, message: ApprovalList) -> None:
        self.pending = [uuid_from_message(one.approval_id) for one in message.approvals]

    def _trace(self, span: TurnTrace) -> None:
        failed = bool(span.error_code)
        if span.kind == TurnTrace.TOOL:
            self.tools.append(span.name + "!" * failed)
        if span.kind in SPANS and span.kind != TurnTrace.HEARING:  # the log already contains the words of the person
            told = " ".join(filter(None, (span.name, span.arguments_json, span.error_msg or span.summary)))
            self.tell(SPANS[span.kind], f"{fit(told, WIDTH)} ({seconds_of(span.duration) * 1e3:.0f} ms)")

    def _reply(self, message: Reply) -> None:
        if not message.is_final:
            return
        self.replies.append(message.text)
        if message.error_code:
            self.errors.append(ErrorCode(message.error_code).name)
        self.tell(message.agent or "robot", f'"{message.text}"{f" [{message.error_msg}]" if message.error_msg else ""}')

    def _diagnose(self, message: DiagnosticArray) -> None:
        for status in message.status:
            node, _, concern = status.name.rpartition(": ")
            if not node.endswith(names.AGENT):
                continue
            self.diagnostics[concern] = status.message
            if status.level != DiagnosticStatus.OK:
                self.warnings.add(concern)
            line = f"{concern}: {', '.join(filter(None, (LEVELS.get(status.level, 'stale'), status.message)))}"
            self._tell_change(f"diagnostics/{concern}", "diagnosis", line)

    def _tell_change(self, topic: str, what: str, line: str) -> None:
        if self._lines.get(topic) != line:
            self._lines[topic] = line
            self.tell(what, line)
