"""MCP server of this project, with stub tools that need no robot."""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from reachy_agent_ros.agent.mcp_tools.offered_tools import Report
from reachy_agent_ros.agent.mcp_tools.server import McpServer, serve
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome

ANGLE = {"type": "object", "properties": {"yaw_deg": {"type": "number"}}, "required": ["yaw_deg"]}
TURN = ToolDescription("turn", "Turns the head.", ANGLE, 5.0, reversible=True, moves_robot=True)
SEND = ToolDescription("send", "Sends a letter.", {"type": "object"}, 5.0, needs_approval=True)
PHOTO = ToolDescription("take_photo", "Takes a photo.", {"type": "object"}, 5.0)
NEW = ToolDescription("new", "Was not there before.", {"type": "object"}, 5.0)


class Tools:
    def __init__(self, notes: Path) -> None:
        self._notes = notes
        self._tools = (TURN, SEND, PHOTO)
        self._trouble: AgentError | None = None

    def catalogue(self) -> Sequence[ToolDescription]:
        return self._tools

    async def trouble(self) -> AgentError | None:
        return self._trouble

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        print("what a tool prints by mistake", flush=True)
        if call.tool == "turn":
            for progress in (0.0, 0.5, 0.5, 1.0):
                await report(progress, "turning")
            return ToolOutcome(f'{{"caller": "{call.session_id}", "arguments": {call.arguments_json}}}')
        if call.tool == "take_photo":
            photo = self._notes.with_suffix(".jpg")
            return ToolOutcome(json.dumps({"path": str(photo), "width": 2, "height": 1}))
        if call.tool == "send":
            return ToolOutcome("{}", AgentError(ErrorCode.APPROVAL_DENIED, "Ada said no."))
        if call.tool == "learn":
            self._tools = (TURN, SEND, PHOTO, NEW)
            return ToolOutcome("{}")
        if call.tool == "lose":
            self._tools, self._trouble = (), AgentError(ErrorCode.SERVER_UNAVAILABLE, "No graph runs.")
            return ToolOutcome("{}", self._trouble)
        return await self._wait()

    async def _wait(self) -> ToolOutcome:
        self._note("waiting")
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            self._note("cancelled")
            raise
        return ToolOutcome("{}")

    def _note(self, text: str) -> None:
        self._notes.write_text(text)


asyncio.run(serve(McpServer(Tools(Path(sys.argv[1])), "1.2.3")))
