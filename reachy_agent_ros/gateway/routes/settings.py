"""Routes for the settings of the graph and its nodes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends

from reachy_agent_ros.gateway.access.authentication import decides
from reachy_agent_ros.gateway.callers import requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.settings import SettingAnswer, SettingRequest, SettingsAnswer
from reachy_agent_ros.gateway.request_handling import StrictRoute
from reachy_agent_ros.gateway.roles import Role

router = APIRouter(prefix="/settings", tags=["settings"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]


@router.get("", dependencies=[Depends(requires(Role.OBSERVER))])
async def listed(gateway: TheGateway) -> SettingsAnswer:
    """Lists all settings with their values at the next start, ranges, defaults and origins."""
    return await gateway.settings.listed()


@router.post("", dependencies=[Depends(decides(Role.ADMINISTRATOR))])
async def change(asked: SettingRequest, gateway: TheGateway) -> SettingAnswer:
    """Writes a setting to the settings file, and applies it at once if its node can change it while running.

    403 with the code `DECISION_NOT_ALLOWED` for a setting that decides who can reach the robot or what runs without
    approval, and for the token of an MCP client.
    """
    return await gateway.settings.change(asked)
