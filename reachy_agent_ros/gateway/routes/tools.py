"""Routes for the robot's tools over HTTP and, for other agents, over MCP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from reachy_agent_ros.agent.mcp_tools.offered_tools import OfferedTools
from reachy_agent_ros.gateway.callers import Caller, caller_of, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_behind, gateway_of
from reachy_agent_ros.gateway.models.tools import ExecuteAnswer, ExecuteRequest, ToolsAnswer
from reachy_agent_ros.gateway.request_handling import StrictRoute, cancel_on_disconnect
from reachy_agent_ros.gateway.roles import Role

if TYPE_CHECKING:
    from reachy_agent_ros.gateway.mcp_endpoint import McpEndpoint

router = APIRouter(prefix="/tools", tags=["tools"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]

mcp_router = APIRouter(dependencies=[Depends(requires(Role.OBSERVER))])


@router.get("", dependencies=[Depends(requires(Role.OBSERVER))])
async def tools(gateway: TheGateway) -> ToolsAnswer:
    """Lists all tools."""
    return await gateway.tools.catalogue()


@router.post("/execute")
async def execute(
    asked: ExecuteRequest,
    request: Request,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(requires(Role.CALLER))],
) -> ExecuteAnswer:
    """Calls a tool with the agent's permissions and audit log, and waits for its result.

    A call that needs approval waits for a person; see `GET /approvals` and the event `approvals`. Disconnecting cancels
    the call. A rejected call returns a problem document. A failed call returns an answer with `status` `error`.
    """
    return await cancel_on_disconnect(request, gateway.tools.execute(asked, caller))


class LateMcp:
    """Creates the `McpEndpoint` on the first request, so that importing the MCP library does not delay the start.

    Args:
        tools: Offered tools.
        version: Version of this package, which MCP clients receive.
    """

    def __init__(self, tools: OfferedTools, version: str) -> None:
        self._tools = tools
        self._version = version
        self._asked = asyncio.Event()
        self._made: asyncio.Future[McpEndpoint] | None = None
        self._serving: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def running(self, _application: object = None) -> AsyncIterator[None]:
        """Lifespan of the application: creates the endpoint after the first request, and ends it at shutdown."""
        self._made = asyncio.get_running_loop().create_future()
        self._serving = asyncio.create_task(self._serve(self._made))
        try:
            yield
        finally:
            self._serving.cancel()
            with suppress(asyncio.CancelledError):
                await self._serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request that `AuthenticationMiddleware` has admitted."""
        assert self._made is not None and self._serving is not None  # noqa: S101, PT018 - the application runs
        self._asked.set()
        either: set[asyncio.Future[Any]] = {self._made, self._serving}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self._serving.done():
            self._serving.result()  # raises the error of the endpoint
        await self._made.result()(scope, receive, send)

    async def _serve(self, made: asyncio.Future[McpEndpoint]) -> None:
        """Starts and ends the endpoint in the same task, as the MCP library requires."""
        await self._asked.wait()
        endpoint = await asyncio.to_thread(self._make)
        async with endpoint.running():
            made.set_result(endpoint)
            await asyncio.Event().wait()

    def _make(self) -> McpEndpoint:
        from reachy_agent_ros.gateway.mcp_endpoint import McpEndpoint

        return McpEndpoint(self._tools, self._version)


@mcp_router.api_route("/mcp", methods=["GET", "POST", "DELETE"], include_in_schema=False)
async def mcp(request: Request) -> Response:
    """MCP over HTTP. Observers may list tools; calls require the role caller, which `McpEndpoint` checks.

    From then on, the token cannot be used to make decisions, unless a person allows it.
    """
    await gateway_behind(request).authenticator.note_mcp_client(caller_of(request))
    return _McpResponse(request.app.state.mcp)


class _McpResponse(Response):
    """Response of the MCP endpoint, sent by the MCP library."""

    def __init__(self, endpoint: LateMcp) -> None:
        super().__init__()
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._endpoint(scope, receive, send)
