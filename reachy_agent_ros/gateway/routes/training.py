"""Demonstrations, training, and versions of policies."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query

from reachy_agent_ros.gateway.callers import Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.demonstrations import (
    DemonstrationAnswer,
    DemonstrationRequest,
    DemonstrationsAnswer,
    RecordAnswer,
    RecordRequest,
)
from reachy_agent_ros.gateway.models.training import (
    PoliciesAnswer,
    PolicyModel,
    PolicyRequest,
    TrainingAnswer,
    TrainingRequest,
)
from reachy_agent_ros.gateway.request_handling import StrictRoute

demonstrations_router = APIRouter(prefix="/demonstration", tags=["learning"], route_class=StrictRoute)

router = APIRouter(tags=["learning"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]

_OBSERVER = [Depends(requires(Role.OBSERVER))]
_OPERATOR = [Depends(requires(Role.OPERATOR))]
_ADMINISTRATOR = [Depends(requires(Role.ADMINISTRATOR))]


@demonstrations_router.post("", dependencies=_OPERATOR)
async def add(asked: DemonstrationRequest, gateway: TheGateway) -> DemonstrationAnswer:
    """Keeps what a program shows; on disk when it is answered.

    What the body cannot do is refused, with the moment that is furthest outside. Nothing moves.
    """
    return await gateway.demonstrations.add(asked)


@demonstrations_router.get("", dependencies=_OBSERVER)
async def listed(
    gateway: TheGateway, skill: Annotated[str, Query(max_length=100, description="Only of this one.")] = ""
) -> DemonstrationsAnswer:
    """All demonstrations there are."""
    return await gateway.demonstrations.listed(skill)


@demonstrations_router.post("/record", dependencies=_OPERATOR, status_code=202)
async def record(asked: RecordRequest, gateway: TheGateway) -> RecordAnswer:
    """Begins to record what a person shows; `DELETE` ends it, and the event `training` tells how it goes."""
    await gateway.demonstrations.record(asked)
    return RecordAnswer(status="recording", skill=asked.skill)


@demonstrations_router.delete("/record", dependencies=_OPERATOR)
async def finish(gateway: TheGateway) -> DemonstrationAnswer:
    """Ends the recording that was begun here; what was recorded stays."""
    return await gateway.demonstrations.finish()


@router.get("/training/status", dependencies=_OBSERVER)
async def status(gateway: TheGateway) -> TrainingAnswer:
    """What is trained, and what came of the latest training."""
    return await gateway.training.status()


@router.post("/training", dependencies=_ADMINISTRATOR, status_code=202)
async def train(asked: TrainingRequest, gateway: TheGateway) -> TrainingAnswer:
    """Begins to train a skill from its demonstrations; the event `training` tells how it goes."""
    return await gateway.training.train(asked)


@router.delete("/training", dependencies=_ADMINISTRATOR)
async def cancel(gateway: TheGateway) -> TrainingAnswer:
    """Ends the training that was begun here; the same one goes on from there when it is begun again."""
    return await gateway.training.cancel()


@router.get("/policies", dependencies=_OBSERVER)
async def policies(
    gateway: TheGateway, skill: Annotated[str, Query(max_length=100, description="Only of this one.")] = ""
) -> PoliciesAnswer:
    """The versions of what was learned."""
    return await gateway.training.policies(skill)


@router.post("/policies/{skill}", dependencies=_ADMINISTRATOR)
async def set_policy(
    skill: Annotated[str, Path(min_length=1, max_length=100)], asked: PolicyRequest, gateway: TheGateway
) -> PolicyModel:
    """Decides which version of a skill acts, also after a restart; answers with it."""
    return await gateway.training.set_policy(skill, asked)
