"""Monitoring: traces of turns, health of the nodes, the stream of events, and metrics."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, WebSocket, WebSocketDisconnect
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field, ValidationError
from starlette.responses import Response

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.callers import Role, requires
from reachy_agent_ros.gateway.event_hub import Event, EventHub, Watcher
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.metrics import LOOKED_AT, Metrics
from reachy_agent_ros.gateway.models.health import HealthAnswer
from reachy_agent_ros.gateway.models.traces import TracesAnswer, TurnDetail, TurnSummary
from reachy_agent_ros.gateway.request_handling import StrictRoute, accept

traces_router = APIRouter(
    prefix="/traces", tags=["traces"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute
)

TheGateway = Annotated[Gateway, Depends(gateway_of)]


@traces_router.get("")
async def latest(
    gateway: TheGateway,
    limit: Annotated[int, Query(ge=1, le=200, description="Turns at most.")] = 20,
    session_id: Annotated[str, Query(max_length=100, description="Only of this conversation.")] = "",
) -> TracesAnswer:
    """The latest turns."""
    return await gateway.traces.latest(limit, session_id)


@traces_router.get("/{turn_id}")
async def find(
    turn_id: Annotated[str, Path(min_length=1, max_length=36, description="The beginning of its id is enough.")],
    gateway: TheGateway,
) -> TurnDetail:
    """One turn with all its steps."""
    return await gateway.traces.find(turn_id)


health_router = APIRouter(tags=["health"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute)


@health_router.get("/health")
async def health(gateway: Annotated[Gateway, Depends(gateway_of)]) -> HealthAnswer:
    """How the graph is now. The event `health` tells the same once a second to those who watch it."""
    return await gateway.health()


events_router = APIRouter(tags=["events"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute)

_Kind = Annotated[str, Field(max_length=50)]


class StreamSelection(BaseModel):
    """What a client may send: the streams that it wants from now on, and no others."""

    watch: list[_Kind] = Field(max_length=100)


@events_router.websocket("/events")
async def events(
    socket: WebSocket,
    gateway: Annotated[Gateway, Depends(gateway_of)],
    after: Annotated[int, Query(ge=0, le=2**53, description="Number of the last event that you have; 0: none.")] = 0,
) -> None:
    """Sends `{"kind": ..., "data": ...}` for all that happens; first what holds already, and `alive` once a second.

    What costs something while it flows comes only to those who send `{"watch": ["pose", "detections", "health"]}`;
    each such message takes the place of the one before, and kinds that always come may be among them.

    What is neither a state nor a stream has a `number`. Who was cut off gives the last one as `after`, and is told what
    happened meanwhile; `dropped` tells what of it was too much, or too long ago.
    """
    await accept(socket)
    with gateway.events.watch(after) as watcher:
        sending = asyncio.ensure_future(_send(socket, watcher))
        try:
            while True:
                _choose(gateway.events, watcher, await socket.receive_text())
        except (WebSocketDisconnect, RuntimeError, KeyError):  # KeyError: bytes, which nobody here understands
            pass
        finally:
            sending.cancel()


def _choose(hub: EventHub, watcher: Watcher, text: str) -> None:
    try:
        hub.choose(watcher, StreamSelection.model_validate_json(text).watch)
    except ValidationError:
        watcher.put(Event("problem", {"detail": 'A client sends {"watch": [kinds]}, and nothing else.'}))


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    async for event in watcher.events():
        await socket.send_text(event.text)


_AGENT_DOWN = (ErrorCode.SERVER_UNAVAILABLE, ErrorCode.SERVER_LOST, ErrorCode.TIMEOUT)

metrics_router = APIRouter(tags=["metrics"], dependencies=[Depends(requires(Role.OBSERVER))])


@metrics_router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request, gateway: Annotated[Gateway, Depends(gateway_of)]) -> Response:
    """Requests, turns, tools, tokens, and how every node is, as Prometheus reads it."""
    kept: Metrics = request.app.state.metrics
    health = await gateway.health()
    return Response(kept.text(health, await _latest_turns(gateway), gateway.events), media_type=CONTENT_TYPE_LATEST)


async def _latest_turns(gateway: Gateway) -> list[TurnSummary]:
    """The turns to count; none while the agent does not answer, because the figures of the other nodes do not need it.

    The figure `node_up` shows that the agent is down.
    """
    try:
        return (await gateway.traces.latest(LOOKED_AT, "")).turns
    except AgentError as error:
        if error.code not in _AGENT_DOWN:
            raise
        return []
