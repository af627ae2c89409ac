"""Routes for decisions: approvals, standing permissions, plan review and personas."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.exceptions import HTTPException

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.authentication import decides
from reachy_agent_ros.gateway.callers import Caller, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.decisions import (
    ApprovalsAnswer,
    DecisionAnswer,
    DecisionRequest,
    GrantAnswer,
    GrantRequest,
    GrantsAnswer,
    PersonaAnswer,
    PersonaRequest,
    PersonasAnswer,
    PlanAnswer,
    PlanReviewRequest,
)
from reachy_agent_ros.gateway.request_handling import StrictRoute
from reachy_agent_ros.gateway.roles import Role

router = APIRouter(tags=["decisions"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]


@router.get("/approvals", dependencies=[Depends(requires(Role.OBSERVER))])
async def approvals(gateway: TheGateway) -> ApprovalsAnswer:
    """Lists the questions that are waiting for a person's approval, and the latest answers."""
    return await gateway.decisions.approvals()


@router.post("/approvals/{approval_id}")
async def decide(
    approval_id: uuid.UUID,
    request: DecisionRequest,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(decides(Role.OPERATOR))],
) -> DecisionAnswer:
    """Approves or denies a call. Only the first answer counts: a second or late answer gets 409.

    403 with the code `DECISION_NOT_ALLOWED` if you approve a call that was requested with the same token, and for
    every answer with an MCP client's token, unless a person has allowed it for the token. The question remains pending.
    """
    try:
        await gateway.decisions.decide(approval_id, request, caller.principal)
    except AgentError as error:
        if error.code is not ErrorCode.INVALID_GOAL:
            raise
        raise HTTPException(HTTPStatus.CONFLICT, error.message) from None
    return DecisionAnswer(approval_id=approval_id, approved=request.approve, decided_by=caller.principal.name)


@router.get("/grants", dependencies=[Depends(requires(Role.OBSERVER))])
async def grants(gateway: TheGateway) -> GrantsAnswer:
    """Lists standing permissions."""
    return await gateway.decisions.grants()


@router.post("/grants")
async def grant(
    request: GrantRequest, gateway: TheGateway, caller: Annotated[Caller, Depends(decides(Role.ADMINISTRATOR))]
) -> GrantAnswer:
    """Grants a standing permission for calls that otherwise need approval.

    The grant does not cover requests with the same token, unless the token has the right `approve-own`.
    """
    return await gateway.decisions.grant(request, caller.principal)


@router.delete("/grants/{grant_id}", status_code=HTTPStatus.NO_CONTENT)
async def revoke(
    grant_id: uuid.UUID, gateway: TheGateway, caller: Annotated[Caller, Depends(requires(Role.OPERATOR))]
) -> None:
    """Revokes a grant at once. Calls that are already running continue."""
    await gateway.decisions.revoke(grant_id, caller.principal.name)


@router.get("/plan", dependencies=[Depends(requires(Role.OBSERVER))])
async def plan(gateway: TheGateway) -> PlanAnswer:
    """Returns the most recently changed plan."""
    return await gateway.decisions.plan()


@router.post("/plan/review", dependencies=[Depends(decides(Role.OPERATOR))])
async def review(request: PlanReviewRequest, gateway: TheGateway) -> PlanReviewRequest:
    """Sets which parts of a plan need approval."""
    await gateway.decisions.review(request)
    return request


@router.get("/personas", dependencies=[Depends(requires(Role.OBSERVER))])
async def personas(gateway: TheGateway) -> PersonasAnswer:
    """Lists the personas."""
    return await gateway.decisions.personas()


@router.post("/persona", dependencies=[Depends(requires(Role.OPERATOR))])
async def become(request: PersonaRequest, gateway: TheGateway) -> PersonaAnswer:
    """Activates a persona from the next turn on, and after a restart."""
    await gateway.decisions.become(request)
    return PersonaAnswer(name=request.name)
