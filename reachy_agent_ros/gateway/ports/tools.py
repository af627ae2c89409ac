"""The robot's tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reachy_agent_ros.core.errors import AgentError


@dataclass(frozen=True)
class CatalogueTool:
    """One tool as the catalogue knows it.

    Attributes:
        name: Unique, in snake_case.
        description: What it does, for people and models.
        parameters: JSON Schema of its arguments.
        version: 1 for tools that came with the robot.
        source: "predefined", "generated" or "external".
        permission: What the tool itself asks for: "autonomous", "notify", "confirm" or "forbidden".
        enabled: Whether it may be called.
        moves_robot: Whether it can cause motion.
        reversible: Whether what it does can be taken back.
        untrusted_output: Whether its result holds words of others.
        specialist: Agent that uses it.
        time_limit: s.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    version: int
    source: str
    permission: str
    enabled: bool
    moves_robot: bool
    reversible: bool
    untrusted_output: bool
    specialist: str
    time_limit: float


@dataclass(frozen=True)
class ToolList:
    """The catalogue.

    Attributes:
        revision: Counts up with every change.
        tools: By name, disabled ones too.
        waiting: Generated tools with a version that waits for a person's review.
    """

    revision: int
    tools: Sequence[CatalogueTool]
    waiting: Sequence[str]


@dataclass(frozen=True)
class ToolResult:
    """How a call ended.

    Attributes:
        value: JSON values; empty after an error.
        elapsed: s.
        error: What went wrong, None if nothing did.
    """

    value: Mapping[str, Any]
    elapsed: float
    error: AgentError | None = None


class Tools(Protocol):
    """Lists and calls tools. All raise `AgentError` where nobody answers."""

    async def catalogue(self) -> ToolList:
        """All tools there are now."""
        ...

    async def execute(self, name: str, arguments: Mapping[str, Any], caller: str, asked_by: str) -> ToolResult:
        """Calls a tool by the agent's permissions and on its record; cancelling this cancels the call.

        Args:
            name: Of the tool.
            arguments: By name.
            caller: Who asks; what a person grants holds for them alone.
            asked_by: Token that the request was made with, empty if none.
        """
        ...
