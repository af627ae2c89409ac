"""Routes for demonstrations, training and policy versions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query

from reachy_agent_ros.gateway.callers import requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.demonstrations import (
    DemonstrationAnswer,
    DemonstrationRequest,
    DemonstrationsAnswer,
    HeadModel,
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
from reachy_agent_ros.gateway.roles import Role

demonstrations_router = APIRouter(prefix="/demonstration", tags=["learning"], route_class=StrictRoute)

router = APIRouter(tags=["learning"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]

_OBSERVER = [Depends(requires(Role.OBSERVER))]
_OPERATOR = [Depends(requires(Role.OPERATOR))]
_ADMINISTRATOR = [Depends(requires(Role.ADMINISTRATOR))]


@demonstrations_router.post("", dependencies=_OPERATOR)
async def add(asked: DemonstrationRequest, gateway: TheGateway) -> DemonstrationAnswer:
    """Stores a demonstration from a program. The response confirms that it is on disk.

    Demonstrations beyond the limits of the body are rejected with the time of the largest violation. Nothing moves.
    """
    return await gateway.demonstrations.add(asked)


@demonstrations_router.get("", dependencies=_OBSERVER)
async def listed(
    gateway: TheGateway, skill: Annotated[str, Query(max_length=100, description="Only this skill.")] = ""
) -> DemonstrationsAnswer:
    """Lists demonstrations."""
    return await gateway.demonstrations.listed(skill)


@demonstrations_router.post("/record", dependencies=_OPERATOR, status_code=202)
async def record(asked: RecordRequest, gateway: TheGateway) -> RecordAnswer:
    """Starts recording a demonstration. `DELETE` ends the recording, and the event `training` reports progress."""
    await gateway.demonstrations.record(asked)
    return RecordAnswer(status="recording", skill=asked.skill)


@demonstrations_router.delete("/record", dependencies=_OPERATOR)
async def finish(gateway: TheGateway) -> DemonstrationAnswer:
    """Ends the recording that was started here, and stores it."""
    return await gateway.demonstrations.finish()


@demonstrations_router.post("/lead", dependencies=_OPERATOR, status_code=204)
async def lead(head: HeadModel, gateway: TheGateway) -> None:
    """Moves the simulated robot's head as if by hand, for 0.5 s or until the next request.

    This requires free motors, as during a recording with the method `hand`. The safety limits apply.
    """
    await gateway.demonstrations.lead(head)


@router.get("/training/status", dependencies=_OBSERVER)
async def status(gateway: TheGateway) -> TrainingAnswer:
    """Returns the state of the trainer and the result of the latest training."""
    return await gateway.training.status()


@router.post("/training", dependencies=_ADMINISTRATOR, status_code=202)
async def train(asked: TrainingRequest, gateway: TheGateway) -> TrainingAnswer:
    """Starts training a skill on its demonstrations. The event `training` reports progress."""
    return await gateway.training.train(asked)


@router.delete("/training", dependencies=_ADMINISTRATOR)
async def cancel(gateway: TheGateway) -> TrainingAnswer:
    """Cancels the training that was started here. Starting the same training again resumes it."""
    return await gateway.training.cancel()


@router.get("/policies", dependencies=_OBSERVER)
async def policies(
    gateway: TheGateway, skill: Annotated[str, Query(max_length=100, description="Only this skill.")] = ""
) -> PoliciesAnswer:
    """Lists policy versions."""
    return await gateway.training.policies(skill)


@router.post("/policies/{skill}", dependencies=_ADMINISTRATOR)
async def set_policy(
    skill: Annotated[str, Path(min_length=1, max_length=100)], asked: PolicyRequest, gateway: TheGateway
) -> PolicyModel:
    """Pins, unpins or rolls back the policy of a skill, also after a restart. Returns the active version."""
    return await gateway.training.set_policy(skill, asked)


@router.delete("/policies/{skill}", dependencies=_ADMINISTRATOR)
async def delete_policy(skill: Annotated[str, Path(min_length=1, max_length=100)], gateway: TheGateway) -> PolicyModel:
    """Deletes all versions of a skill, including a pinned one, and returns the untrained skill, with version 0.

    The robot then behaves as it did before the training.
    """
    return await gateway.training.delete_policy(skill)
