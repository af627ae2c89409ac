"""Generated tools that are kept: looking at them, and what people decide about them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from reachy_agent_ros.gateway.access.decider import decides
from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Caller, Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.routes.tool_making import CaseModel, Text, VerdictModel
from reachy_agent_ros.gateway.strict_route import StrictRoute

router = APIRouter(prefix="/tools", tags=["tools"], route_class=StrictRoute)

MAX_VERSION = 2**32 - 1

TheGateway = Annotated[Gateway, Depends(gateway_of)]
Name = Annotated[str, Path(min_length=1, max_length=100, description="Of the tool.")]
Version = Annotated[int, Field(ge=1, le=MAX_VERSION, description="One that the tool has.")]

_OBSERVER = [Depends(requires(Role.OBSERVER))]
_ADMINISTRATOR = [Depends(requires(Role.ADMINISTRATOR))]


class ToolVersionModel(BaseModel):
    """One version of a generated tool."""

    model_config = ConfigDict(from_attributes=True)

    version: int
    state: Literal["waiting", "approved", "rejected"]
    active: bool = Field(description="Whether this one runs.")
    digest: str = Field(description="SHA-256 of the source.")
    author: str
    request: str = Field(description="What was asked for, in words.")
    explanation: str = Field(description="In the author's words.")
    asked_by: str = Field(description="Token that it was asked for with, `token:NAME#MARK`; empty if none.")
    comment: str = Field(description="Of the person who reviewed it.")
    decided_by: str = Field(description="Who reviewed it, and in which way; empty if nobody did.")
    needs: list[str] = Field(description="What of the world it names: `body`, `eyes`, `voice`, `web`.")
    created: float = Field(description="Seconds since the epoch.")
    time_limit: float = Field(description="Of one run, seconds.")
    memory_limit: int = Field(description="Of one run, bytes.")
    verdicts: list[VerdictModel]
    cases: list[CaseModel] = Field(description="Tests that it passed.")
    runs: int = Field(description="Since it was registered.")
    successes: int = Field(description="Of these.")
    failures: list[str] = Field(description="Latest error messages, the newest last.")


class GeneratedToolAnswer(BaseModel):
    """All that is known of a generated tool."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    code: str = Field(description="Of `version`.")
    version: int
    enabled: bool = Field(description="Whether it may be called.")
    reason: str = Field(description="Why not; empty if it may.")
    versions: list[ToolVersionModel] = Field(description="Oldest first.")


class ReviewRequest(BaseModel):
    """A person's decision about a version that waits."""

    version: Version
    approve: bool
    comment: Text = Field("", description="Kept with the decision.")


class EnableRequest(BaseModel):
    """Whether a tool may be called."""

    enabled: bool


class RollBackRequest(BaseModel):
    """Which version shall run."""

    version: Version


class RollBackAnswer(BaseModel):
    """What changed."""

    version: int = Field(description="Runs now.")
    previous_version: int = Field(description="Ran until now.")


@router.get("/{name}", dependencies=_OBSERVER)
async def tool(
    name: Name,
    gateway: TheGateway,
    version: Annotated[int, Query(ge=0, le=MAX_VERSION, description="Whose code; 0: the one that runs.")] = 0,
) -> GeneratedToolAnswer:
    """A generated tool: its code, versions, verdicts and tests."""
    found = await gateway.workshop.tool(name, version)
    return GeneratedToolAnswer.model_validate(asdict(found))


@router.post("/{name}/review", status_code=204)
async def review(
    name: Name,
    asked: ReviewRequest,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(decides(Role.ADMINISTRATOR))],
) -> None:
    """Approves or rejects a version that waits; 403 for a yes to what was asked for with the same token."""
    await gateway.workshop.review(name, asked.version, asked.approve, asked.comment, caller.principal)


@router.post("/{name}/enable", dependencies=_ADMINISTRATOR, status_code=204)
async def enable(name: Name, asked: EnableRequest, gateway: TheGateway) -> None:
    """Lets a tool be called, or not; also one that came with the robot."""
    await gateway.workshop.enable(name, asked.enabled)


@router.post("/{name}/rollback", dependencies=_ADMINISTRATOR)
async def roll_back(name: Name, asked: RollBackRequest, gateway: TheGateway) -> RollBackAnswer:
    """Makes an earlier version of a generated tool run."""
    previous = await gateway.workshop.roll_back(name, asked.version)
    return RollBackAnswer(version=asked.version, previous_version=previous)


@router.delete("/{name}", dependencies=_ADMINISTRATOR, status_code=204)
async def delete(name: Name, gateway: TheGateway) -> None:
    """Forgets a generated tool with all its versions."""
    await gateway.workshop.delete(name)
