"""The robot's tools for other agents over MCP, whose endpoint is made when somebody asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from starlette.types import Receive, Scope, Send

from reachy_agent_ros.agent.mcp_tools.offered_tools import OfferedTools

if TYPE_CHECKING:
    from reachy_agent_ros.gateway.mcp_endpoint import McpEndpoint
from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from reachy_agent_ros.gateway.callers import Role, caller_of, requires
from reachy_agent_ros.gateway.graph import gateway_behind


class LateMcp:
    """`McpEndpoint`, made when the first request comes: a gateway that starts again must not wait for MCP's library.

    Args:
        tools: What is offered.
        version: Ours, which clients are told.
    """

    def __init__(self, tools: OfferedTools, version: str) -> None:
        self._tools = tools
        self._version = version
        self._asked = asyncio.Event()
        self._made: asyncio.Future[McpEndpoint] | None = None
        self._serving: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def running(self, _application: object = None) -> AsyncIterator[None]:
        """Waits for the first request, as the lifespan of an application."""
        self._made = asyncio.get_running_loop().create_future()
        self._serving = asyncio.create_task(self._serve(self._made))
        try:
            yield
        finally:
            self._serving.cancel()
            with suppress(asyncio.CancelledError):
                await self._serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request of a caller whom `Entrance` has let in."""
        assert self._made is not None and self._serving is not None  # noqa: S101, PT018 - the application runs
        self._asked.set()
        either: set[asyncio.Future[Any]] = {self._made, self._serving}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if self._serving.done():
            self._serving.result()  # raises why there is none
        await self._made.result()(scope, receive, send)

    async def _serve(self, made: asyncio.Future[McpEndpoint]) -> None:
        """Begins and ends the endpoint in one task, as its library demands."""
        await self._asked.wait()
        endpoint = await asyncio.to_thread(self._make)
        async with endpoint.running():
            made.set_result(endpoint)
            await asyncio.Event().wait()

    def _make(self) -> McpEndpoint:
        from reachy_agent_ros.gateway.mcp_endpoint import McpEndpoint

        return McpEndpoint(self._tools, self._version)


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
