"""How the graph is: nodes, processes, what they say of themselves."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.strict_route import StrictRoute

router = APIRouter(tags=["health"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute)


class NodeHealth(BaseModel):
    """One node."""

    name: str
    state: Literal["starting", "ready", "degraded", "stopping", "silent"] = Field(description="Of its heartbeat.")
    detail: str = Field(description="What it says about that state.")
    pid: int = Field(description="Its process; 0 where none is known.")
    age: float = Field(description="Of the process, seconds.")
    cpu: float | None = Field(description="Cores that it used since the look before; null at the first.")
    resident_mb: float = Field(description="Resident memory, MB.")
    restarts: int = Field(description="How often it was started again.")
    last_end: str = Field(description="How it last ended by itself; empty where it has not.")


class Diagnostic(BaseModel):
    """What a node says of one of its concerns."""

    node: str
    concern: str = Field(description="For example `motion loop`, whose values are the loop's jitter.")
    level: Literal["ok", "warn", "error", "stale"]
    message: str = Field(description="One line for people.")
    values: dict[str, str] = Field(description="Figures by name.")


class HealthAnswer(BaseModel):
    """The whole graph."""

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
    nodes: list[NodeHealth]
    diagnostics: list[Diagnostic]


@router.get("/health")
async def health(gateway: Annotated[Gateway, Depends(gateway_of)]) -> HealthAnswer:
    """How the graph is now. The event `health` tells the same once a second to those who watch it."""
    return HealthAnswer.model_validate(asdict(await gateway.health.report()))
