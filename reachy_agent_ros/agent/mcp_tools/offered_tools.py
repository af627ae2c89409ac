"""The tools that other agents may use."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome

Report = Callable[[float, str], Coroutine[Any, Any, None]]
"""Takes the progress of a call, 0 to 1, and what is being done, in words."""


@dataclass(frozen=True)
class Client:
    """In whose name a tool is called.

    Attributes:
        name: For permissions and the audit log.
        token: Token that it bears, empty if none.
    """

    name: str
    token: str = ""


class OfferedTools(Protocol):
    """A `tools.protocol.tools.ToolSource` that also tells how its calls go on. It is used from one event loop."""

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now: the same object until something changes."""
        ...

    async def trouble(self) -> AgentError | None:
        """Why no tool can be called now, None if they can; it may take a moment to find out."""
        ...

    async def call(self, call: ToolCall, report: Report) -> ToolOutcome:
        """Makes a call; every failure is an outcome, and cancelling it cancels what it started."""
        ...
