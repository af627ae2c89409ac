"""Model server that sends the same bytes in response to each request. The bytes may be invalid HTTP."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from reachy_agent_ros.testing.scripted_endpoint import SELF_TEST_TOOL, ScriptedAnswer

_NUMBER = {
    "role": "assistant",
    "tool_calls": ScriptedAnswer(calls=((SELF_TEST_TOOL, {"number": 7}),)).message()["tool_calls"],
}


class ReplyServer:
    """Model server on a free port of this machine. It also passes the self-test of a model.

    Use it in an `async with` block.

    Attributes:
        reply: Head and body of the response to every other chat completion request.
    """

    def __init__(self) -> None:
        self.reply = b""

    async def __aenter__(self) -> ReplyServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        """Base URL for a client."""
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):  # the client may have disconnected
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(_length(head))
            writer.write(self._answer(head, body))
            await writer.drain()
        writer.close()

    def _answer(self, head: bytes, body: bytes) -> bytes:
        if not head.startswith(b"POST /v1/chat/completions"):
            return _page(404, {"error": "not found"})
        tools = json.loads(body).get("tools", [])
        if [tool["function"]["name"] for tool in tools] == [SELF_TEST_TOOL]:
            choice = {"index": 0, "message": _NUMBER, "finish_reason": "tool_calls"}
            return _page(200, {"id": "a", "object": "chat.completion", "created": 0, "model": "a", "choices": [choice]})
        return self.reply


def _length(head: bytes) -> int:
    lines = head.decode(errors="replace").lower().split("\r\n")
    return next((int(line.partition(":")[2]) for line in lines if line.startswith("content-length:")), 0)


def _page(status: int, content: dict[str, Any]) -> bytes:
    body = json.dumps(content).encode()
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close"
    return head.encode() + b"\r\n\r\n" + body
