"""The robot's tools for other programs: listed and called over HTTP, and offered to other agents over MCP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from reachy_agent_ros.agent.mcp_tools.offered_tools import OfferedTools
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.gateway.callers import Caller, Role, caller_of, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_behind, gateway_of
from reachy_agent_ros.gateway.request_handling import StrictRoute, unless_hung_up

if TYPE_CHECKING:
    from reachy_agent_ros.gateway.mcp_endpoint import McpEndpoint

router = APIRouter(prefix="/tools", tags=["tools"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]

ToolName = Annotated[str, Field(min_length=1, max_length=100, description="As the catalogue has it.")]

_NEVER_RAN = frozenset(
    {
        ErrorCode.UNKNOWN_TOOL,
        ErrorCode.INVALID_ARGUMENTS,
        ErrorCode.NOT_FINITE,
        ErrorCode.APPROVAL_REQUIRED,
        ErrorCode.APPROVAL_DENIED,
        ErrorCode.TOOL_DISABLED,
        ErrorCode.CANCELED,
    }
)
"""Errors of calls that were refused: they are problems, what went wrong in a tool is its answer."""

mcp_router = APIRouter(dependencies=[Depends(requires(Role.OBSERVER))])


class ToolAnswer(BaseModel):
    """One tool."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    description: str = Field(description="What it does, for people and models.")
    parameters: dict[str, Any] = Field(description="JSON Schema of the object of its arguments.")
    version: int = Field(description="1 for tools that came with the robot.")
    source: Literal["predefined", "generated", "external"] = Field(description="Where it comes from.")
    permission: Literal["autonomous", "notify", "confirm", "forbidden"] = Field(
        description="What the tool itself asks for; the rules of docs/permissions.md may ask for more."
    )
    enabled: bool = Field(description="Whether it may be called.")
    moves_robot: bool = Field(description="Whether it can cause motion.")
    reversible: bool = Field(description="Whether what it does can be taken back.")
    untrusted_output: bool = Field(description="Whether its result holds words of others.")
    specialist: str = Field(description="Agent that uses it.")
    time_limit: float = Field(description="Seconds after which it is cancelled.")
    waiting: bool = Field(description="Whether a version of it waits for a person's review.")


class ToolsAnswer(BaseModel):
    """The catalogue."""

    revision: int = Field(description="Counts up with every change.")
    tools: list[ToolAnswer] = Field(description="By name, disabled ones too.")
    waiting: list[str] = Field(description="Names of generated tools with a version that waits for a review.")


class ExecuteRequest(BaseModel):
    """A call of a tool."""

    tool_name: ToolName
    parameters: dict[str, Any] = Field(default_factory=dict, description="Arguments by name.")


class ToolFailure(BaseModel):
    """What went wrong in a tool."""

    code: str = Field(description="Name in the numbered list of errors, as in docs/interfaces.md.")
    detail: str = Field(description="One sentence for people.")


class ExecuteAnswer(BaseModel):
    """How a call ended."""

    status: Literal["success", "error"] = Field(description="Whether the tool did what it should.")
    result: Any = Field(description="What it returned; null after an error.")
    execution_time: float = Field(description="Seconds from the moment the agent took the call.")
    error: ToolFailure | None = Field(description="What went wrong in the tool; null if nothing did.")


@router.get("", dependencies=[Depends(requires(Role.OBSERVER))])
async def tools(gateway: TheGateway) -> ToolsAnswer:
    """All tools there are now."""
    found = await gateway.tools.catalogue()
    listed = [ToolAnswer(**asdict(tool), waiting=tool.name in found.waiting) for tool in found.tools]
    return ToolsAnswer(revision=found.revision, tools=listed, waiting=list(found.waiting))


@router.post("/execute")
async def execute(
    asked: ExecuteRequest,
    request: Request,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(requires(Role.CALLER))],
) -> ExecuteAnswer:
    """Calls a tool by the agent's permissions and on its record, and waits for its end.

    A call that needs a person's yes waits for it; `GET /approvals` and the event `approvals` show it. Whoever hangs up
    cancels the call. A call that was refused is a problem; one that failed answers with `status` `error`.
    """
    work = gateway.tools.execute(asked.tool_name, asked.parameters, caller.name, caller.principal.token)
    outcome = await unless_hung_up(request, work)
    error = outcome.error
    if error is None:
        return ExecuteAnswer(status="success", result=outcome.value, execution_time=outcome.elapsed, error=None)
    if error.code in _NEVER_RAN:
        raise error
    failure = ToolFailure(code=error.code.name, detail=error.message)
    return ExecuteAnswer(status="error", result=None, execution_time=outcome.elapsed, error=failure)


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
        """Serves one request of a caller whom `AuthenticationMiddleware` has let in."""
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


@mcp_router.api_route("/mcp", methods=["GET", "POST", "DELETE"], include_in_schema=False)
async def mcp(request: Request) -> Response:
    """MCP over HTTP. Observers list tools; calling one needs the role caller, which is looked at there.

    A token that comes here decides nothing from then on, unless a person allowed that.
    """
    await gateway_behind(request).authenticator.note_mcp_client(caller_of(request))
    return _McpResponse(request.app.state.mcp)


class _McpResponse(Response):
    """What the MCP library answers."""

    def __init__(self, endpoint: LateMcp) -> None:
        super().__init__()
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._endpoint(scope, receive, send)
