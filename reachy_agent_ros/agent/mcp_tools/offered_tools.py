"""Interface of the tools that the MCP server offers to other agents."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome

Report = Callable[[float, str], Coroutine[Any, Any, None]]
"""Called with the progress of a call, 0 to 1, and a description of the current step."""


@dataclass(frozen=True)
class Client:
    """Client that calls a tool.

    Attributes:
        name: Name for permissions and the audit log.
        token: Token of the client, empty if none.
    """

    name: str
    token: str = ""


class OfferedTools(Protocol):
    """Tool source with progress reports, similar to `tools.protocol.tools.ToolSource`. Use it in one event loop."""

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that can be called now: the same object until something changes."""
        ...

    async def trouble(self) -> AgentError | None:
        """Returns the reason why no tool can be called at present; None if tools can be called. May take a moment."""
        ...

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        """Makes a call. Errors are returned in the outcome; cancelling also cancels the tool."""
        ...
