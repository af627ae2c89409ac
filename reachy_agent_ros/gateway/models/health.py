"""Health of the graph: its nodes, their diagnostics, and the machine they run on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from reachy_agent_ros.supervision.health import NodeState

DiagnosticLevel = Literal["ok", "warn", "error", "stale"]


class NodeStatus(BaseModel):
    """One node."""

    name: str
    state: NodeState = Field(description="Of its heartbeat.")
    detail: str = Field(description="What it says about that state.")
    pid: int = Field(description="Its process; 0 where none is known.")
    age: float = Field(description="Of the process, seconds.")
    cpu: float | None = Field(description="Cores that it used since the look before; null at the first.")
    resident_mb: float = Field(description="Resident memory, MB.")
    restarts: int = Field(description="How often it was started again.")
    last_end: str = Field(description="How it last ended by itself; empty where it has not.")


class DiagnosticReport(BaseModel):
    """What a node says of one of its concerns."""

    node: str
    concern: str = Field(description="For example `motion loop`, whose values are the loop's jitter.")
    level: DiagnosticLevel
    message: str = Field(description="One line for people.")
    values: dict[str, str] = Field(description="Figures by name.")


class HealthAnswer(BaseModel):
    """The whole graph."""

    model_config = ConfigDict(frozen=True)  # requests, events and metrics share one answer

    stamp: float = Field(description="When it was looked at, seconds since the epoch.")
    namespace: str
    domain: str = Field(description="ROS domain id.")
    supervisor: int = Field(description="Process that restarts nodes; 0 where there is none.")
    transport: str = Field(description="How nodes reach each other; `unknown` where something else started them.")
    arguments: dict[str, str] = Field(description="What it was started with; empty where something else started it.")
    ready: bool = Field(description="Whether every node is.")
    cpu: float = Field(description="Of the machine, 0 to 1, since the look before.")
    cores: int = Field(description="Of the machine.")
    memory_mb: float = Field(description="Used on the machine, MB.")
    nodes: list[NodeStatus]
    diagnostics: list[DiagnosticReport]


HealthReader = Callable[[], Awaitable[HealthAnswer]]
"""Returns the health of the graph now; raises `AgentError`."""
