"""Routes for generated tools: generation, verification, review, activation and rollback."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from reachy_agent_ros.gateway.access.authentication import decides
from reachy_agent_ros.gateway.callers import Caller, requires
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
from reachy_agent_ros.gateway.request_handling import StrictRoute, cancel_on_disconnect
from reachy_agent_ros.gateway.roles import Role

router = APIRouter(prefix="/tools", tags=["tools"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]
Name = Annotated[str, Path(min_length=1, max_length=100, description="Name of the tool.")]

_OBSERVER = [Depends(requires(Role.OBSERVER))]
_ADMINISTRATOR = [Depends(requires(Role.ADMINISTRATOR))]


@router.post("/generate")
async def generate(
    asked: GenerateRequest,
    request: Request,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(requires(Role.ADMINISTRATOR))],
) -> GenerateAnswer:
    """Creates a tool from a description or from a person's code, and registers it if it passes verification.

    A description starts a turn of the agent: 503 without a model, 422 if the model creates no tool. Code that fails
    verification is not an error: the answer lists what failed, with version 0. Disconnecting ends the turn.
    """
    return await cancel_on_disconnect(request, gateway.workshop.generate(asked, caller))


@router.post("/check", dependencies=_ADMINISTRATOR)
async def check(asked: CheckRequest, gateway: TheGateway) -> CheckAnswer:
    """Verifies code in the sandbox, with its tests and a simulated robot, without storing it."""
    return await gateway.workshop.check(asked)


@router.get("/{name}", dependencies=_OBSERVER)
async def tool(
    name: Name,
    gateway: TheGateway,
    version: Annotated[
        int,
        Query(ge=0, le=MAX_VERSION, description="Version of the returned code; 0: the active or else the newest one."),
    ] = 0,
) -> GeneratedToolAnswer:
    """Returns a generated tool: its code, versions, verdicts and tests."""
    return await gateway.workshop.tool(name, version)


@router.post("/{name}/review", status_code=204)
async def review(
    name: Name,
    asked: ToolReviewRequest,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(decides(Role.ADMINISTRATOR))],
) -> None:
    """Approves or rejects a version that waits for review.

    403 for approval with the token that requested the tool, unless the token has the right `approve-own`.
    """
    await gateway.workshop.review(name, asked, caller.principal)


@router.post("/{name}/enable", dependencies=_ADMINISTRATOR, status_code=204)
async def enable(name: Name, asked: EnableRequest, gateway: TheGateway) -> None:
    """Enables or disables a tool, including predefined tools."""
    await gateway.workshop.enable(name, asked.enabled)


@router.post("/{name}/rollback", dependencies=_ADMINISTRATOR)
async def roll_back(name: Name, asked: RollBackRequest, gateway: TheGateway) -> RollBackAnswer:
    """Activates another approved version of a generated tool."""
    return await gateway.workshop.roll_back(name, asked.version)


@router.delete("/{name}", dependencies=_ADMINISTRATOR, status_code=204)
async def delete(name: Name, gateway: TheGateway) -> None:
    """Deletes a generated tool with all its versions."""
    await gateway.workshop.delete(name)
