"""What happens in the graph, as it happens."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, WebSocket, WebSocketDisconnect

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.access.role import Role
from reachy_agent_ros.gateway.event_hub import Watcher
from reachy_agent_ros.gateway.graph import Gateway, gateway_of

router = APIRouter(tags=["events"], dependencies=[Depends(requires(Role.OBSERVER))])

PROTOCOL = "reachy.v1"
"""Subprotocol of every WebSocket here; the token's own is never echoed."""


@router.websocket("/events")
async def events(socket: WebSocket, gateway: Annotated[Gateway, Depends(gateway_of)]) -> None:
    """Sends `{"kind": ..., "data": ...}` for all that happens; first what holds already."""
    offered = socket.scope.get("subprotocols", [])
    await socket.accept(PROTOCOL if PROTOCOL in offered else None)
    with gateway.events.watch() as watcher:
        sending = asyncio.ensure_future(_send(socket, watcher))
        try:
            while True:
                await socket.receive()
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            sending.cancel()


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    async for event in watcher.events():
        await socket.send_json({"kind": event.kind, "data": dict(event.data)})
