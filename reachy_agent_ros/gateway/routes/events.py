"""What happens in the graph, as it happens."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Query, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, Field, ValidationError

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Role
from reachy_agent_ros.gateway.event_hub import Event, EventHub, Watcher
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.strict_route import StrictRoute
from reachy_agent_ros.gateway.subprotocol import accept

router = APIRouter(tags=["events"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute)

_Kind = Annotated[str, Field(max_length=50)]


class Choice(BaseModel):
    """What a client may send: the streams that it wants from now on, and no others."""

    watch: list[_Kind] = Field(max_length=100)


@router.websocket("/events")
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
        hub.choose(watcher, Choice.model_validate_json(text).watch)
    except ValidationError:
        watcher.put(Event("problem", {"detail": 'A client sends {"watch": [kinds]}, and nothing else.'}))


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    async for event in watcher.events():
        await socket.send_text(event.text)
