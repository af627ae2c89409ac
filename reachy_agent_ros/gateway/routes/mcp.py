"""The robot's tools for other agents."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from reachy_agent_ros.gateway.access.guard import caller_of, requires
from reachy_agent_ros.gateway.caller import Role
from reachy_agent_ros.gateway.graph import gateway_behind
from reachy_agent_ros.gateway.late_mcp import LateMcp

router = APIRouter(dependencies=[Depends(requires(Role.OBSERVER))])


class _McpResponse(Response):
    """What the MCP library answers."""

    def __init__(self, endpoint: LateMcp) -> None:
        super().__init__()
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._endpoint(scope, receive, send)


@router.api_route("/mcp", methods=["GET", "POST", "DELETE"], include_in_schema=False)
async def mcp(request: Request) -> Response:
    """MCP over HTTP. Observers list tools; calling one needs the role caller, which is looked at there.

    A token that comes here decides nothing from then on, unless a person allowed that.
    """
    await gateway_behind(request).authenticator.note_mcp_client(caller_of(request))
    return _McpResponse(request.app.state.mcp)
