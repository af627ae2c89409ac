"""What the body does, and its stop."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.ports.body import BodyState
from reachy_agent_ros.gateway.strict_route import StrictRoute

router = APIRouter(tags=["body"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]


class StateAnswer(BaseModel):
    """What is measured, SI units."""

    stamp: float = Field(description="When it was measured, seconds since the epoch.")
    head_pose: list[float] = Field(description="4x4 transform of `head` in `head_base` by rows, m.")
    body_yaw: float = Field(description="rad, positive to the left.")
    antennas: list[float] = Field(description="Right and left, rad.")
    activity: str = Field(description="`idle`, `moving`, `streaming`, `holding` or `stopped`.")
    motors: str = Field(description="`enabled`, `disabled` or `gravity_compensation`.")
    connected: bool = Field(description="Whether the robot answers.")
    simulated: bool = Field(description="Whether no real motor can turn.")
    emergency_stopped: bool = Field(description="Whether it must be reset before it moves again.")
    stop_reason: str = Field(description="Why it was stopped; empty otherwise.")
    commander: str = Field(description="Node that holds the robot; empty when nobody does.")


@router.get("/state", dependencies=[Depends(requires(Role.OBSERVER))])
async def state(gateway: TheGateway) -> StateAnswer:
    """What the body does now."""
    return _told(await gateway.body.state())


@router.post("/stop", dependencies=[Depends(requires(Role.OBSERVER))])
async def stop(gateway: TheGateway) -> StateAnswer:
    """Stops the robot at once; what is answered is the robot's own confirmation. Never limited in rate."""
    return _told(await gateway.body.stop())


@router.post("/stop/reset", dependencies=[Depends(requires(Role.OPERATOR))])
async def reset(gateway: TheGateway) -> StateAnswer:
    """Lets the robot move again after a stop."""
    return _told(await gateway.body.reset())


def _told(found: BodyState) -> StateAnswer:
    return StateAnswer.model_validate(asdict(found))
