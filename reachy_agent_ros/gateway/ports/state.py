"""Port for the state of the robot and its graph: body, health, and traces of turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class MeasuredBody:
    """What was measured last.

    Attributes:
        stamp: When, s since the epoch.
        head_pose: 16 numbers, 4x4 transform of `head` in `head_base` by rows, m.
        body_yaw: rad, positive to the left.
        antennas: Right and left, rad.
        activity: "idle", "moving", "streaming", "holding" or "stopped".
        motors: "enabled", "disabled" or "gravity_compensation".
        connected: Whether the robot answers.
        simulated: Whether no real motor can turn.
        emergency_stopped: Whether it must be reset before it moves again.
        stop_reason: Why, empty otherwise.
        commander: Node that holds the robot, empty when nobody does.
    """

    stamp: float
    head_pose: tuple[float, ...]
    body_yaw: float
    antennas: tuple[float, float]
    activity: str
    motors: str
    connected: bool
    simulated: bool
    emergency_stopped: bool
    stop_reason: str
    commander: str


class BodyService(Protocol):
    """State and stop. All raise `AgentError`."""

    async def state(self) -> MeasuredBody:
        """What is measured now."""
        ...

    async def stop(self) -> MeasuredBody:
        """Stops everything that moves or speaks or is about to, and latches; returns what the robot itself confirms."""
        ...

    async def reset(self) -> MeasuredBody:
        """Lets the robot move again."""
        ...


@dataclass(frozen=True)
class NodeReport:
    """One node.

    Attributes:
        name: Relative to the namespace.
        state: Of its heartbeat: "starting", "ready", "degraded", "stopping"; "silent" without one.
        detail: What it says about that state.
        pid: Its process; 0 where none is known.
        age: Of the process, s.
        cpu: Cores that it used since somebody looked before, 1 is one whole; None at the first look.
        resident_mb: Resident memory, MB.
        restarts: How often it was started again.
        last_end: How it last ended by itself, empty where it has not.
    """

    name: str
    state: str
    detail: str
    pid: int
    age: float
    cpu: float | None
    resident_mb: float
    restarts: int
    last_end: str


@dataclass(frozen=True)
class Diagnostic:
    """What a node says of one of its concerns.

    Attributes:
        node: Whose.
        concern: For example "motion loop".
        level: "ok", "warn", "error" or "stale".
        message: One line for people.
        values: Figures by name, as texts.
    """

    node: str
    concern: str
    level: str
    message: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class HealthReport:
    """The whole graph.

    Attributes:
        stamp: When it was looked at, s since the epoch.
        namespace: Of its names.
        domain: ROS domain id.
        supervisor: Process that restarts nodes; 0 where there is none.
        transport: How nodes reach each other; "unknown" where something else started it.
        arguments: What it was started with; empty where something else started it.
        ready: Whether every node is.
        cpu: Of the machine, 0 to 1, since the look before.
        cores: Of the machine.
        memory_mb: Used on the machine, MB.
        nodes: Every node that should run.
        diagnostics: What nodes say of themselves.
    """

    stamp: float
    namespace: str
    domain: str
    supervisor: int
    transport: str
    arguments: Mapping[str, str]
    ready: bool
    cpu: float
    cores: int
    memory_mb: float
    nodes: Sequence[NodeReport]
    diagnostics: Sequence[Diagnostic]


class HealthService(Protocol):
    """The graph's health. Raises `AgentError`."""

    async def report(self) -> HealthReport:
        """How it is now."""
        ...


@dataclass(frozen=True)
class TracedSpan:
    """One step of a turn; mirror of `reachy_agent_msgs/TurnTrace`.

    Attributes:
        span: Number within the turn; 0 is the turn itself.
        parent: Span it belongs to.
        kind: 0 turn, 1 hearing, 2 reflex, 3 model, 4 tool, 5 handoff, 6 approval, 7 speech, 8 guardrail.
        name: Tool, model's agent or rule.
        start: s after the turn's start; negative for what was heard.
        duration: s.
        input_tokens: Read by a model.
        output_tokens: Written by a model.
        arguments_json: Of a tool call.
        summary: One line for people.
        error_code: 0 where it ended well.
        error_msg: One sentence for people.
    """

    span: int
    parent: int
    kind: int
    name: str
    start: float
    duration: float
    input_tokens: int
    output_tokens: int
    arguments_json: str
    summary: str
    error_code: int
    error_msg: str


@dataclass(frozen=True)
class TurnRecord:
    """One turn.

    Attributes:
        turn_id: Its name everywhere.
        session_id: Conversation it belongs to.
        began: s since the epoch.
        heard: What the person said, where it is known.
        reply: What was answered.
        agent: Who answered.
        duration: s; None while it runs.
        input_tokens: Read by models.
        output_tokens: Written by models.
        tools: Tools that were called, in order.
        error_code: 0 where it ended well.
        error_msg: One sentence for people.
        lost: Spans that could not be kept.
        spans: By their start.
    """

    turn_id: str
    session_id: str
    began: float
    heard: str
    reply: str
    agent: str
    duration: float | None
    input_tokens: int
    output_tokens: int
    tools: Sequence[str]
    error_code: int
    error_msg: str
    lost: int
    spans: Sequence[TracedSpan] = field(default_factory=tuple)


class Traces(Protocol):
    """Recorded turns. All raise `AgentError`."""

    async def latest(self, limit: int, session_id: str) -> Sequence[TurnRecord]:
        """The latest turns, newest first; of one conversation where it is named."""
        ...

    async def find(self, turn_id: str) -> TurnRecord:
        """The turn whose id begins so; `NOT_FOUND` where there is none, or more than one."""
        ...
