"""Routes for monitoring: traces of turns, health of the nodes, the event stream and metrics."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, WebSocket, WebSocketDisconnect
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field, ValidationError
from starlette.responses import Response

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.callers import requires
from reachy_agent_ros.gateway.event_hub import Event, EventHub, Watcher
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.metrics import LOOKED_AT, Metrics
from reachy_agent_ros.gateway.models.health import HealthAnswer
from reachy_agent_ros.gateway.models.traces import TracesAnswer, TurnDetail, TurnSummary
from reachy_agent_ros.gateway.request_handling import StrictRoute, accept
from reachy_agent_ros.gateway.roles import Role

traces_router = APIRouter(
    prefix="/traces", tags=["traces"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute
)

TheGateway = Annotated[Gateway, Depends(gateway_of)]


@traces_router.get("")
async def latest(
    gateway: TheGateway,
    limit: Annotated[int, Query(ge=1, le=200, description="Maximum number of turns.")] = 20,
    session_id: Annotated[str, Query(max_length=100, description="Only this conversation.")] = "",
) -> TracesAnswer:
    """Lists the latest turns."""
    return await gateway.traces.latest(limit, session_id)


@traces_router.get("/{turn_id}")
async def find(
    turn_id: Annotated[str, Path(min_length=1, max_length=36, description="Id of the turn, or the start of it.")],
    gateway: TheGateway,
) -> TurnDetail:
    """Returns a turn with all its steps."""
    return await gateway.traces.find(turn_id)


health_router = APIRouter(tags=["health"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute)


@health_router.get("/health")
async def health(gateway: Annotated[Gateway, Depends(gateway_of)]) -> HealthAnswer:
    """Returns the health of the graph. The `health` stream of events sends the same data once per second."""
    return await gateway.health()


events_router = APIRouter(tags=["events"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute)

_Kind = Annotated[str, Field(max_length=50)]


class StreamSelection(BaseModel):
    """Message with the streams that a client wants from now on."""

    watch: list[_Kind] = Field(max_length=100)


@events_router.websocket("/events")
async def events(
    socket: WebSocket,
    gateway: Annotated[Gateway, Depends(gateway_of)],
    after: Annotated[int, Query(ge=0, le=2**53, description="Number of the last event that you have; 0: none.")] = 0,
) -> None:
    """Sends `{"kind": ..., "data": ...}` for each event, starting with the current states, and `alive` once per second.

    Streams are sent only after the client requests them with `{"watch": ["pose", "detections", "health"]}`. Each
    `watch` message replaces the previous one. Kinds that are always sent may be listed too.

    Events that are neither states nor streams, except `dropped`, have a `number`. After a disconnect, reconnect with
    `?after=` and the last number to receive the missed events. `dropped` reports events that are no longer available.
    """
    await accept(socket)
    with gateway.events.watch(after) as watcher:
        sending = asyncio.ensure_future(_send(socket, watcher))
        try:
            while True:
                _choose(gateway.events, watcher, await socket.receive_text())
        except (WebSocketDisconnect, RuntimeError, KeyError):  # KeyError: a binary message
            pass
        finally:
            sending.cancel()


def _choose(hub: EventHub, watcher: Watcher, text: str) -> None:
    try:
        hub.choose(watcher, StreamSelection.model_validate_json(text).watch)
    except ValidationError:
        watcher.put(Event("problem", {"detail": 'Invalid message: expected {"watch": [kinds]}.'}))


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    async for event in watcher.events():
        await socket.send_text(event.text)


_AGENT_DOWN = (ErrorCode.SERVER_UNAVAILABLE, ErrorCode.SERVER_LOST, ErrorCode.TIMEOUT)

metrics_router = APIRouter(tags=["metrics"], dependencies=[Depends(requires(Role.OBSERVER))])


@metrics_router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request, gateway: Annotated[Gateway, Depends(gateway_of)]) -> Response:
    """Returns metrics in Prometheus format: requests, turns, tools, tokens and the state of every node."""
    kept: Metrics = request.app.state.metrics
    health = await gateway.health()
    return Response(kept.text(health, await _latest_turns(gateway), gateway.events), media_type=CONTENT_TYPE_LATEST)


async def _latest_turns(gateway: Gateway) -> list[TurnSummary]:
    """Returns the turns for the metrics, or none if the agent does not respond, so that other metrics are sent.

    The metric `node_up` shows that the agent is down.
    """
    try:
        return (await gateway.traces.latest(LOOKED_AT, "")).turns
    except AgentError as error:
        if error.code not in _AGENT_DOWN:
            raise
        return []
