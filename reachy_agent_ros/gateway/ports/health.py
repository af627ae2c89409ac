"""How the graph is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


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


class Health(Protocol):
    """The graph's health. Raises `AgentError`."""

    async def report(self) -> HealthReport:
        """How it is now."""
        ...
