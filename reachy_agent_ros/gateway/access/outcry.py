"""A stop among what people say of the robot, heeded before anything else is done with it."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from reachy_agent_ros.gateway.access.entrance import FEEDBACK, too_many
from reachy_agent_ros.gateway.access.replay import replayed
from reachy_agent_ros.gateway.graph import gateway_behind


class Outcry:
    """Reads judgements for an urgent stop, in whatever form they come and however often.

    Args:
        app: What is behind it; `request.state.stopped` is whether a judgement has stopped the robot.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] != "http" or (scope["method"], scope["path"]) != ("POST", FEEDBACK):
            await self._app(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        state = HTTPConnection(scope).state
        state.stopped = gateway_behind(HTTPConnection(scope)).feedback.stop_if_urgent(body.decode(errors="replace"))
        if state.wait and not state.stopped:
            await too_many(scope, receive, send, state.wait)
            return
        await self._app(scope, replayed(body, receive), send)
