"""The subprotocol of every WebSocket of the API."""

from __future__ import annotations

from starlette.websockets import WebSocket

PROTOCOL = "reachy.v1"
"""The other one that may be offered carries a token and is never echoed."""


async def accept(socket: WebSocket) -> None:
    """Accepts a WebSocket, with its subprotocol where it offers it, as a browser demands."""
    await socket.accept(PROTOCOL if PROTOCOL in socket.scope.get("subprotocols", []) else None)
