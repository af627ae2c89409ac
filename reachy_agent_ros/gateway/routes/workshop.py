"""Generated tools: generated, verified, reviewed, enabled and rolled back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from reachy_agent_ros.gateway.access.authentication import decides
from reachy_agent_ros.gateway.callers import Caller, Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.workshop import (
    MAX_VERSION,
    CheckAnswer,
    CheckRequest,
    EnableRequest,
    GenerateAnswer,
    GeneratedToolAnswer,
    GenerateRequest,
    RollBackAnswer,
    RollBackRequest,
    ToolReviewRequest,
)
from reachy_agent_ros.gateway.request_handling import StrictRoute, unless_hung_up

router = APIRouter(prefix="/tools", tags=["tools"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]
Name = Annotated[str, Path(min_length=1, max_length=100, description="Of the tool.")]

_OBSERVER = [Depends(requires(Role.OBSERVER))]
_ADMINISTRATOR = [Depends(requires(Role.ADMINISTRATOR))]


@router.post("/generate")
async def generate(
    asked: GenerateRequest,
    request: Request,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(requires(Role.ADMINISTRATOR))],
) -> GenerateAnswer:
    """Makes a tool, of a description by a model or of a person's code, and keeps it if it passes.

    A description is handed to the agent as a turn of conversation; without a model that is answered with 503, and
    with 422 if it makes no tool of it. Code that fails is no problem: the answer says what failed, with version 0.
    Whoever hangs up ends the turn.
    """
    return await unless_hung_up(request, gateway.workshop.generate(asked, caller))


@router.post("/check", dependencies=_ADMINISTRATOR)
async def check(asked: CheckRequest, gateway: TheGateway) -> CheckAnswer:
    """Reads code, runs it in the sandbox with its tests and on a simulated twin, and keeps nothing."""
    return await gateway.workshop.check(asked)


@router.get("/{name}", dependencies=_OBSERVER)
async def tool(
    name: Name,
    gateway: TheGateway,
    version: Annotated[int, Query(ge=0, le=MAX_VERSION, description="Whose code; 0: the one that runs.")] = 0,
) -> GeneratedToolAnswer:
    """A generated tool: its code, versions, verdicts and tests."""
    return await gateway.workshop.tool(name, version)


@router.post("/{name}/review", status_code=204)
async def review(
    name: Name,
    asked: ToolReviewRequest,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(decides(Role.ADMINISTRATOR))],
) -> None:
    """Approves or rejects a version that waits; 403 for a yes to what was asked for with the same token."""
    await gateway.workshop.review(name, asked, caller.principal)


@router.post("/{name}/enable", dependencies=_ADMINISTRATOR, status_code=204)
async def enable(name: Name, asked: EnableRequest, gateway: TheGateway) -> None:
    """Lets a tool be called, or not; also one that came with the robot."""
    await gateway.workshop.enable(name, asked.enabled)


@router.post("/{name}/rollback", dependencies=_ADMINISTRATOR)
async def roll_back(name: Name, asked: RollBackRequest, gateway: TheGateway) -> RollBackAnswer:
    """Makes an earlier version of a generated tool run."""
    return await gateway.workshop.roll_back(name, asked.version)


@router.delete("/{name}", dependencies=_ADMINISTRATOR, status_code=204)
async def delete(name: Name, gateway: TheGateway) -> None:
    """Forgets a generated tool with all its versions."""
    await gateway.workshop.delete(name)
