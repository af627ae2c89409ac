"""Routes for timers, alarms and reminders."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path

from reachy_agent_ros.gateway.callers import requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.schedule import ScheduleAnswer, ScheduleEntryData, ScheduleRequest
from reachy_agent_ros.gateway.request_handling import StrictRoute
from reachy_agent_ros.gateway.roles import Role

router = APIRouter(prefix="/schedule", tags=["schedule"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]


@router.get("", dependencies=[Depends(requires(Role.OBSERVER))])
async def entries(gateway: TheGateway) -> ScheduleAnswer:
    """Lists timers, alarms and reminders."""
    return await gateway.schedule.entries()


@router.post("", dependencies=[Depends(requires(Role.OPERATOR))])
async def add(request: ScheduleRequest, gateway: TheGateway) -> ScheduleEntryData:
    """Adds a timer, an alarm or a reminder. It is on disk before the response."""
    return await gateway.schedule.add(request)


@router.delete("/{identity}", status_code=HTTPStatus.NO_CONTENT, dependencies=[Depends(requires(Role.OPERATOR))])
async def cancel(identity: Annotated[int, Path(ge=1, lt=2**32)], gateway: TheGateway) -> None:
    """Cancels a timer, an alarm or a reminder with all its repetitions, and ends its ringing."""
    await gateway.schedule.cancel(identity)
