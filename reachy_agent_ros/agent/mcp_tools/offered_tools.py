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
    """Identity of a client that calls a tool.

    Attributes:
        name: Name for permissions and the audit log.
        token: Token of the client, empty if none.
    """

    name: str
    token: str = ""


class OfferedTools(Protocol):
    """Tool source like `tools.protocol.tools.ToolSource` that also reports the progress of calls.

    Not thread-safe: use from one event loop.
    """

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that can be called now. The object stays the same until the tools change."""
        ...

    async def trouble(self) -> AgentError | None:
        """Checks whether tools can be called, which may take a moment. Returns None if they can, else the reason."""
        ...

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        """Calls a tool. Errors are returned in the outcome. Cancelling also cancels the tool."""
        ...
