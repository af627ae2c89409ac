"""Our tools, used by the MCP library's own client over a real process's standard input and output."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, TextContent, ToolListChangedNotification

from support.agent.mcp_world import SERVERS, until

both_protocols = pytest.mark.parametrize("mode", ["auto", "legacy"])


@asynccontextmanager
async def client(notes: Path, mode: str, **settings: Any) -> AsyncIterator[Client]:
    parameters = StdioServerParameters(command=sys.executable, args=[str(SERVERS / "ours.py"), str(notes)])
    async with Client(stdio_client(parameters), mode=mode, **settings) as connected:
        yield connected


def text_of(result: CallToolResult) -> Any:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return json.loads(block.text)


@pytest.mark.slow
@both_protocols
def test_the_catalogue_is_listed_and_says_what_a_person_is_asked_about(tmp_path: Path, mode: str) -> None:
    async def run() -> None:
        async with client(tmp_path / "notes", mode) as ours:
            turn, send = (await ours.list_tools()).tools
            assert (turn.name, turn.description) == ("turn", "Turns the head.")
            assert turn.input_schema["required"] == ["yaw_deg"]
            assert send.description == "Sends a letter. A person is asked before each call."

    asyncio.run(run())


@pytest.mark.slow
@both_protocols
def test_a_call_is_made_in_the_clients_name_and_tells_its_progress(tmp_path: Path, mode: str) -> None:
    told: list[tuple[float, str | None]] = []

    async def hear(progress: float, _total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def run() -> None:
        async with client(tmp_path / "notes", mode) as ours:
            result = await ours.call_tool("turn", {"yaw_deg": 20}, progress_callback=hear)
            assert not result.is_error
            assert text_of(result) == {"caller": "mcp:mcp", "arguments": {"yaw_deg": 20}}
            assert result.structured_content == text_of(result)
            await until(lambda: len(told) == 3, "the progress")
            assert told == [(0.0, "turning"), (0.5, "turning"), (1.0, "turning")]

    asyncio.run(run())


@pytest.mark.slow
@both_protocols
def test_a_refusal_is_an_error_that_says_why(tmp_path: Path, mode: str) -> None:
    async def run() -> None:
        async with client(tmp_path / "notes", mode) as ours:
            result = await ours.call_tool("send", {})
            assert result.is_error
            assert text_of(result) == {"error": "APPROVAL_DENIED", "message": "Ada said no."}

    asyncio.run(run())


@pytest.mark.slow
@both_protocols
def test_cancelling_a_request_cancels_the_call(tmp_path: Path, mode: str) -> None:
    notes = tmp_path / "notes"

    async def run() -> None:
        async with client(notes, mode) as ours:
            call = asyncio.create_task(ours.call_tool("wait", {}))
            await until(notes.exists, "the call")
            call.cancel()
            await until(lambda: notes.read_text() == "cancelled", "the cancelling")
            assert not (await ours.call_tool("turn", {"yaw_deg": 1})).is_error

    asyncio.run(run())


@pytest.mark.slow
def test_a_client_that_leaves_cancels_its_calls(tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def run() -> None:
        command = [sys.executable, str(SERVERS / "ours.py"), str(notes)]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
        assert process.stdin is not None
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        requests = [
            {"id": 1, "method": "initialize", "params": about},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": {"name": "wait", "arguments": {}}},
        ]
        for request in requests:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **request}).encode() + b"\n")
        await until(notes.exists, "the call")
        process.stdin.close()
        output, _none = await process.communicate()
        assert notes.read_text() == "cancelled"
        assert process.returncode == 0
        for line in output.decode().splitlines():
            assert json.loads(line)["jsonrpc"] == "2.0"

    asyncio.run(run())


@pytest.mark.slow
def test_changes_are_told_in_the_handshake_protocol(tmp_path: Path) -> None:
    heard: list[Any] = []

    async def hear(message: Any) -> None:
        heard.append(message)

    async def run() -> None:
        async with client(tmp_path / "notes", "legacy", message_handler=hear, cache=None) as ours:
            await ours.list_tools()
            await ours.call_tool("learn", {})
            await until(lambda: any(isinstance(one, ToolListChangedNotification) for one in heard), "the news")
            assert [tool.name for tool in (await ours.list_tools()).tools] == ["turn", "send", "new"]

    asyncio.run(run())


@pytest.mark.slow
def test_changes_are_told_to_who_listens_in_the_newer_protocol(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            client(tmp_path / "notes", "auto", cache=None) as ours,
            ours.listen(tools_list_changed=True) as changes,
        ):
            await ours.call_tool("learn", {})
            await anext(changes)
            assert [tool.name for tool in (await ours.list_tools()).tools] == ["turn", "send", "new"]

    asyncio.run(run())


@pytest.mark.slow
@both_protocols
def test_without_a_robot_it_says_so(tmp_path: Path, mode: str) -> None:
    async def run() -> None:
        async with client(tmp_path / "notes", mode, cache=None) as ours:
            await ours.call_tool("lose", {})
            with pytest.raises(MCPError, match="No graph runs"):
                await ours.list_tools()

    asyncio.run(run())
