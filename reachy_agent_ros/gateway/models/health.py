"""Health of the graph: its nodes, their diagnostics, and the machine on which they run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from reachy_agent_ros.supervision.health import NodeState

DiagnosticLevel = Literal["ok", "warn", "error", "stale"]


class NodeStatus(BaseModel):
    """State of a node."""

    name: str
    state: NodeState = Field(description="State reported by the heartbeat of the node.")
    detail: str = Field(description="Explanation of the state by the node.")
    pid: int = Field(description="Process id; 0 if unknown.")
    age: float = Field(description="Age of the process, seconds.")
    cpu: float | None = Field(description="CPU cores used since the previous reading; null for the first one.")
    resident_mb: float = Field(description="Resident memory, MiB.")
    restarts: int = Field(description="Number of restarts.")
    last_end: str = Field(description="Exit status of the last unexpected end of the process; empty if there was none.")


class DiagnosticReport(BaseModel):
    """Diagnostic of a node."""

    node: str
    concern: str = Field(description="Name of the diagnostic, for example `motion loop`.")
    level: DiagnosticLevel
    message: str = Field(description="One-line message for people.")
    values: dict[str, str] = Field(description="Diagnostic values by name.")


class HealthAnswer(BaseModel):
    """Health of the complete graph."""

    model_config = ConfigDict(frozen=True)  # requests, events and metrics share one answer

    stamp: float = Field(description="Time of the reading, seconds since the epoch.")
    namespace: str
    domain: str = Field(description="ROS domain id.")
    supervisor: int = Field(description="Process id of the supervisor; 0 if there is none.")
    transport: str = Field(description="Transport between nodes; `unknown` if the supervisor did not start them.")
    arguments: dict[str, str] = Field(
        description="Launch arguments of the graph; empty if the supervisor did not start it."
    )
    ready: bool = Field(description="Whether every node is ready.")
    cpu: float = Field(description="CPU load of the machine since the previous reading, 0 to 1.")
    cores: int = Field(description="CPU cores of the machine.")
    memory_mb: float = Field(description="Memory in use on the machine, MiB.")
    nodes: list[NodeStatus]
    diagnostics: list[DiagnosticReport]


HealthReader = Callable[[], Awaitable[HealthAnswer]]
"""Returns the current health of the graph; raises `AgentError`."""
