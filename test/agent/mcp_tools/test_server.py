"""MCP server of the robot, tested over standard input and output with the client of the MCP library."""

import asyncio
import base64
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, ImageContent, TextContent, ToolListChangedNotification

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
def test_mcp_server_lists_tools_with_approval_notes(tmp_path: Path, mode: str) -> None:
    async def run() -> None:
        async with client(tmp_path / "notes", mode) as ours:
            turn, send, _photo = (await ours.list_tools()).tools
            assert (turn.name, turn.description) == ("turn", "Turns the head.")
            assert turn.input_schema["required"] == ["yaw_deg"]
            assert send.description == "Sends a letter. A person is asked before each call."

    asyncio.run(run())


@pytest.mark.slow
@both_protocols
def test_mcp_call_contains_client_name_and_reports_progress(tmp_path: Path, mode: str) -> None:
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
def test_take_photo_returns_image_and_file_path(tmp_path: Path, mode: str) -> None:
    jpeg = b"\xff\xd8\xff\xe0 a very small photo"
    (tmp_path / "notes.jpg").write_bytes(jpeg)

    async def run() -> None:
        async with client(tmp_path / "notes", mode) as ours:
            result = await ours.call_tool("take_photo", {})
            text, picture = result.content
            assert isinstance(text, TextContent)
            assert json.loads(text.text) == result.structured_content
            assert isinstance(picture, ImageContent)
            assert (base64.b64decode(picture.data), picture.mime_type) == (jpeg, "image/jpeg")

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"root:x:0:0", None], ids=["not a picture", "missing"])
def test_take_photo_returns_only_file_path_if_image_is_unavailable(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "notes.jpg").write_bytes(content)

    async def run() -> None:
        async with client(tmp_path / "notes", "auto") as ours:
            assert text_of(await ours.call_tool("take_photo", {}))["path"] == str(tmp_path / "notes.jpg")

    asyncio.run(run())


@pytest.mark.slow
@both_protocols
def test_rejected_mcp_call_returns_error_with_reason(tmp_path: Path, mode: str) -> None:
    async def run() -> None:
        async with client(tmp_path / "notes", mode) as ours:
            result = await ours.call_tool("send", {})
            assert result.is_error
            assert text_of(result) == {"error": "APPROVAL_DENIED", "message": "Ada said no."}

    asyncio.run(run())


@pytest.mark.slow
@both_protocols
def test_cancelled_mcp_request_cancels_tool_call(tmp_path: Path, mode: str) -> None:
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
def test_disconnected_mcp_client_cancels_its_tool_calls(tmp_path: Path) -> None:
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
def test_mcp_server_announces_tool_changes_in_legacy_protocol(tmp_path: Path) -> None:
    heard: list[Any] = []

    async def hear(message: Any) -> None:
        heard.append(message)

    async def run() -> None:
        async with client(tmp_path / "notes", "legacy", message_handler=hear, cache=None) as ours:
            await ours.list_tools()
            await ours.call_tool("learn", {})
            await until(lambda: any(isinstance(one, ToolListChangedNotification) for one in heard), "the news")
            assert [tool.name for tool in (await ours.list_tools()).tools] == ["turn", "send", "take_photo", "new"]

    asyncio.run(run())


@pytest.mark.slow
def test_mcp_server_announces_tool_changes_to_subscribers_in_newer_protocol(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            client(tmp_path / "notes", "auto", cache=None) as ours,
            ours.listen(tools_list_changed=True) as changes,
        ):
            await ours.call_tool("learn", {})
            await anext(changes)
            assert [tool.name for tool in (await ours.list_tools()).tools] == ["turn", "send", "take_photo", "new"]

    asyncio.run(run())


@pytest.mark.slow
@both_protocols
def test_listing_mcp_tools_without_running_graph_raises_error(tmp_path: Path, mode: str) -> None:
    async def run() -> None:
        async with client(tmp_path / "notes", mode, cache=None) as ours:
            await ours.call_tool("lose", {})
            with pytest.raises(MCPError, match="No graph runs"):
                await ours.list_tools()

    asyncio.run(run())
