"""MCP endpoint that offers the robot's tools to other agents over HTTP, with MCP's streamable transport."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import CallNext, HandlerResult
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from reachy_agent_ros.agent.mcp_tools.offered_tools import Client, OfferedTools
from reachy_agent_ros.agent.mcp_tools.server import MOST_SESSIONS, Context, McpServer, claimed_client
from reachy_agent_ros.core.strict_json import strict_json
from reachy_agent_ros.gateway.callers import GATEWAY_PREFIX, caller_of
from reachy_agent_ros.gateway.request_handling import cancel_on_disconnect, replayed
from reachy_agent_ros.gateway.roles import Role


class McpEndpoint:
    """Serves MCP clients, in at most `MOST_SESSIONS` sessions. Each client has the permissions of its token.

    Args:
        tools: Offered tools.
        version: Version of this package, as clients see it.
    """

    def __init__(self, tools: OfferedTools, version: str) -> None:
        self._server = McpServer(tools, version, _caller)
        self._server.protocol.middleware.append(_while_connected)
        self._sessions: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Runs the MCP session manager in an `async with` block."""
        logging.getLogger("mcp").setLevel(logging.CRITICAL)  # client errors are reported to the client
        self._sessions = StreamableHTTPSessionManager(self._server.protocol, max_sessions=MOST_SESSIONS)
        try:
            async with self._sessions.run():
                yield
        finally:
            self._server.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request of a caller that `AuthenticationMiddleware` has identified.

        Rejects a body that `strict_json` rejects, because the MCP library uses the last value of a duplicate name.
        """
        assert self._sessions is not None  # noqa: S101 - the application runs
        if scope["method"] == "POST":
            try:
                body = await Request(scope, receive).body()
                strict_json(body)
            except ClientDisconnect:
                return
            except ValueError as error:
                await _rejection(error)(scope, receive, send)
                return
            receive = replayed(body, receive)
        # Binds the session to the caller that started it.
        token = AccessToken(token="", client_id=caller_of(HTTPConnection(scope)).name, scopes=[])  # nosec B106 - a name
        await self._sessions.handle_request({**scope, "user": AuthenticatedUser(token)}, receive, send)


def _rejection(error: ValueError) -> JSONResponse:
    """Returns the response for an invalid body. MCP clients show the message of a JSON-RPC error, whatever its status.

    Args:
        error: Reason why the body is invalid.
    """
    reason = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=PARSE_ERROR, message=f"Invalid JSON: {error}."))
    return JSONResponse(reason.model_dump(exclude_unset=True), HTTPStatus.UNPROCESSABLE_ENTITY)


def _caller(context: Context) -> Client:
    """Returns the client that calls a tool, identified by its token and by the name that the client states."""
    assert context.request is not None  # noqa: S101 - always set over HTTP
    caller = caller_of(context.request)
    if caller.role < Role.CALLER:
        raise MCPError(INVALID_REQUEST, f"This requires the role {Role.CALLER.name.lower()}.")
    return Client(f"{GATEWAY_PREFIX}{caller.name} {claimed_client(context).name}", caller.principal.token)


async def _while_connected(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Runs a tool call, and cancels the call when the caller disconnects.

    The legacy protocol would let the call continue, for a client that reconnects to fetch the result. This server keeps
    no results, so nobody would receive it.
    """
    if ctx.method == "tools/call" and ctx.request is not None:
        return await cancel_on_disconnect(ctx.request, call_next(ctx))
    return await call_next(ctx)
