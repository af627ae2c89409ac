"""Tests of the gateway's MCP endpoint with the client from the MCP library."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import TextContent, ToolListChangedNotification
from mcp_types.version import LATEST_MODERN_VERSION

from reachy_agent_ros.agent.mcp_tools.offered_tools import Report
from reachy_agent_ros.agent.permissions.principal import Decides
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.token_file import TokenAuthenticator, TokenFile
from reachy_agent_ros.gateway.application import application
from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.gateway.graph import Gateway
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.gateway.server import Server
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome
from support.agent.mcp_world import until

ANGLE = {"type": "object", "properties": {"yaw_deg": {"type": "number"}}}
TURN, LEARN, WAIT = (ToolDescription(name, f"To {name}.", ANGLE, 5.0) for name in ("turn", "learn", "wait"))

LATE = "2025-06-18"
"""Version of the MCP protocol with the legacy handshake."""

both_protocols = pytest.mark.parametrize("mode", ["auto", "legacy"])


class Tools:
    """Test double of `OfferedTools` that needs no robot."""

    def __init__(self) -> None:
        self.waiting = self.cancelled = False
        self._tools: Sequence[ToolDescription] = (TURN, WAIT)

    def catalogue(self) -> Sequence[ToolDescription]:
        return self._tools

    async def trouble(self) -> AgentError | None:
        return None

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        await report(0.5, "half")
        if call.tool == "learn":
            self._tools = (TURN, WAIT, LEARN)
        if call.tool == "refuse":
            return ToolOutcome("{}", AgentError(ErrorCode.APPROVAL_DENIED, "Ada said no."))
        if call.tool == "wait":
            await self._wait()
        return ToolOutcome(json.dumps({"caller": call.session_id, "asked_by": call.asked_by}))

    async def _wait(self) -> None:
        self.waiting = True
        try:
            await asyncio.sleep(3600.0)
        except asyncio.CancelledError:
            self.cancelled = True
            raise


class Served:
    """Running gateway with an MCP endpoint.

    Args:
        folder: Folder of the token file.

    Attributes:
        tools: The offered tools.
        tokens: The token file.
        secret: Secret of the latest token.
    """

    def __init__(self, folder: Path) -> None:
        self.tools = Tools()
        self.secret = ""
        self.tokens = TokenFile(folder / "tokens.json")
        ports: dict[str, Any] = {field.name: None for field in fields(Gateway)}
        authenticator = TokenAuthenticator(self.tokens, local=False)
        gateway = Gateway(**{**ports, "authenticator": authenticator, "offered": self.tools})
        self.server = Server(application(gateway), BindConfig(), 0)

    @property
    def url(self) -> str:
        return f"{self.server.url}/mcp"

    def headers(self, role: Role) -> dict[str, str]:
        """Creates a token with a role, and returns the HTTP headers that contain it."""
        self.secret = self.tokens.make(role.name.lower(), role)
        return {"Authorization": f"Bearer {self.secret}"}

    @asynccontextmanager
    async def client(self, role: Role, mode: str, **settings: Any) -> AsyncIterator[Client]:
        async with create_mcp_http_client(self.headers(role)) as http:
            transport = streamable_http_client(self.url, http_client=http)
            async with Client(transport, mode=mode, **settings) as client:
                yield client

    @asynccontextmanager
    async def session(self, role: Role) -> AsyncIterator[httpx.AsyncClient]:
        """Opens a legacy session without the MCP library, so that the test can send invalid requests."""
        headers = {**self.headers(role), "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": LATE}
        async with httpx.AsyncClient(headers=headers) as http:
            about = {"protocolVersion": LATE, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
            begun = await http.post(self.url, json=request("initialize", about, id=1))
            http.headers["Mcp-Session-Id"] = begun.headers["Mcp-Session-Id"]
            assert (await http.post(self.url, json=request("notifications/initialized", {}))).status_code == 202
            yield http


def request(method: str, params: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params, **more}


def serve(folder: Path, use: Callable[[Served], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        served = Served(folder)
        serving = asyncio.create_task(served.server.serve_all())
        try:
            await use(served)
        finally:
            served.server.should_exit = True
            await asyncio.wait_for(serving, 10.0)

    asyncio.run(run())


@both_protocols
def test_operator_lists_tools_and_receives_progress_of_call(tmp_path: Path, mode: str) -> None:
    told: list[tuple[float, str | None]] = []

    async def hear(progress: float, _total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def use(served: Served) -> None:
        async with served.client(Role.OPERATOR, mode) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == ["turn", "wait"]
            result = await client.call_tool("turn", {"yaw_deg": 20}, progress_callback=hear)
            assert result.structured_content is not None
            assert re.fullmatch(r"gateway: token:operator#[0-9a-f]{8} mcp:mcp", result.structured_content["caller"])
            await until(lambda: told == [(0.5, "half")], "the progress")
            refused = await client.call_tool("refuse", {})
            assert refused.is_error
            assert isinstance(refused.content[0], TextContent)
            assert "Ada said no." in refused.content[0].text

    serve(tmp_path, use)


@both_protocols
def test_observer_may_only_list_tools(tmp_path: Path, mode: str) -> None:
    async def use(served: Served) -> None:
        async with served.client(Role.OBSERVER, mode) as client:
            assert len((await client.list_tools()).tools) == 2
            with pytest.raises(MCPError, match="role caller"):
                await client.call_tool("wait", {})
        assert not served.tools.waiting

    serve(tmp_path, use)


@both_protocols
def test_canceled_mcp_request_cancels_tool_call(tmp_path: Path, mode: str) -> None:
    async def use(served: Served) -> None:
        async with served.client(Role.OPERATOR, mode) as client:
            call = asyncio.create_task(client.call_tool("wait", {}))
            await until(lambda: served.tools.waiting, "the call")
            call.cancel()
            await until(lambda: served.tools.cancelled, "the cancellation")
            assert not (await client.call_tool("turn", {})).is_error

    serve(tmp_path, use)


@pytest.mark.parametrize("role", [Role.CALLER, Role.OPERATOR])
def test_mcp_call_marks_its_token_as_mcp_client(tmp_path: Path, role: Role) -> None:
    async def use(served: Served) -> None:
        async with served.client(role, "auto") as client:
            result = await client.call_tool("turn", {})
            (token,) = served.tokens.tokens()
            assert result.structured_content is not None
            assert result.structured_content["asked_by"] == f"token:{token.identity}"
            assert token.mcp_client
        caller = TokenAuthenticator(served.tokens, local=False).authenticate(served.secret)
        assert caller.decides is Decides.NOTHING

    serve(tmp_path, use)


def test_disconnect_cancels_tool_call_in_legacy_mcp_protocol(tmp_path: Path) -> None:
    async def use(served: Served) -> None:
        async with served.session(Role.OPERATOR) as http:
            call = request("tools/call", {"name": "wait", "arguments": {}}, id=2)
            async with http.stream("POST", served.url, json=call):
                await until(lambda: served.tools.waiting, "the call")
            await until(lambda: served.tools.cancelled, "the cancellation")

    serve(tmp_path, use)


@pytest.mark.slow
def test_notifies_tool_changes_in_both_mcp_protocols(tmp_path: Path) -> None:
    heard: list[Any] = []

    async def hear(message: Any) -> None:
        heard.append(message)

    async def use(served: Served) -> None:
        older = served.client(Role.OBSERVER, "legacy", message_handler=hear, cache=None)
        newer = served.client(Role.OPERATOR, "auto", cache=None)
        async with older as old, newer as new, new.listen(tools_list_changed=True) as changes:
            await old.list_tools()
            await new.call_tool("learn", {})
            await anext(changes)
            await until(lambda: any(isinstance(one, ToolListChangedNotification) for one in heard), "the notification")
            assert [tool.name for tool in (await old.list_tools()).tools] == ["turn", "wait", "learn"]

    serve(tmp_path, use)


def test_mcp_session_rejects_other_tokens(tmp_path: Path) -> None:
    async def use(served: Served) -> None:
        async with served.session(Role.OPERATOR) as http:
            stranger = served.headers(Role.ADMINISTRATOR)
            listing = request("tools/list", {}, id=2)
            assert (await http.post(served.url, json=listing, headers=stranger)).status_code == 404
            assert (await http.post(served.url, json=listing)).status_code == 200

    serve(tmp_path, use)


CALL = '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "wait", "arguments": {"yaw_deg": 1}}}'
AMBIGUOUS = (
    ('"yaw_deg": 1', '"yaw_deg": 1, "yaw_deg": 2', "'yaw_deg' occurs twice"),
    ('"name": "wait"', '"name": "turn", "name": "wait"', "'name' occurs twice"),
    ('"method": "tools/call"', '"method": "tools/list", "method": "tools/call"', "'method' occurs twice"),
    ('"wait"', '"wait\\u0000x"', "control character"),
    ('"yaw_deg": 1', '"yaw_deg": NaN', "NaN is not a valid JSON number"),
    ("}}}", "}}", "delimiter"),
)
"""Part of `CALL`, what replaces it, and the reason for the rejection."""


@pytest.mark.parametrize("version", [LATE, LATEST_MODERN_VERSION])
def test_rejects_ambiguous_mcp_request(tmp_path: Path, version: str) -> None:
    async def use(served: Served) -> None:
        async with served.session(Role.OPERATOR) as http:
            headers = {"Content-Type": "application/json", "MCP-Protocol-Version": version}
            for plain, ambiguous, reason in AMBIGUOUS:
                answer = await http.post(served.url, content=CALL.replace(plain, ambiguous), headers=headers)
                assert answer.status_code == 422
                assert answer.json()["id"] is None
                assert reason in answer.json()["error"]["message"]
        assert not served.tools.waiting

    serve(tmp_path, use)


@both_protocols
def test_mcp_client_receives_reason_of_rejected_request(tmp_path: Path, mode: str) -> None:
    async def use(served: Served) -> None:
        async with served.client(Role.OPERATOR, mode) as client:
            with pytest.raises(MCPError, match="control character"):
                await client.call_tool("turn\0x", {})
            assert not (await client.call_tool("turn", {})).is_error

    serve(tmp_path, use)


def test_mcp_endpoint_rejects_unauthenticated_and_foreign_requests(tmp_path: Path) -> None:
    async def use(served: Served) -> None:
        headers = served.headers(Role.OPERATOR)
        async with httpx.AsyncClient() as http:
            assert (await http.post(served.url, json={})).status_code == 401
            for wrong in ({"Origin": "https://elsewhere.example"}, {"Host": "rebound.example"}):
                assert (await http.post(served.url, json={}, headers={**headers, **wrong})).status_code == 403

    serve(tmp_path, use)
