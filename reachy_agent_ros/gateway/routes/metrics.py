"""Figures for Prometheus."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.metrics import LOOKED_AT, Metrics

router = APIRouter(tags=["metrics"], dependencies=[Depends(requires(Role.OBSERVER))])


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request, gateway: Annotated[Gateway, Depends(gateway_of)]) -> Response:
    """Requests, turns, tools, tokens, and how every node is, as Prometheus reads it."""
    kept: Metrics = request.app.state.metrics
    health = await gateway.health.report()
    turns = list(await gateway.traces.latest(LOOKED_AT, ""))
    return Response(kept.text(health, turns, gateway.events), media_type=CONTENT_TYPE_LATEST)
