"""Toolbox that combines the tools of all sources. Also contains tools that run within the agent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from reachy_agent_ros.core.arguments import ArgumentsT, parse_arguments, schema_of
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolDescription, ToolOutcome, ToolSource


class Toolbox:
    """Combined tools of several sources. Implements `tools.protocol.tools.ToolSource`.

    Args:
        sources: Sources in order. If several tools have the same name, the first is used, so that other sources cannot
            replace the robot's own tools.
    """

    def __init__(self, *sources: ToolSource) -> None:
        self._sources = sources
        self._seen: tuple[Sequence[ToolDescription], ...] = ()
        self._catalogue: tuple[ToolDescription, ...] = ()
        self._owners: dict[str, ToolSource] = {}

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that can be called now. The object stays the same until the tools change."""
        lists = tuple(source.catalogue() for source in self._sources)
        if len(lists) != len(self._seen) or any(new is not old for new, old in zip(lists, self._seen, strict=True)):
            self._seen = lists
            self._join(lists)
        return self._catalogue

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Calls a tool. Errors are returned in the outcome."""
        self.catalogue()
        owner = self._owners.get(call.tool)
        if owner is None:
            return ToolOutcome("{}", AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no tool {call.tool!r:.80}."))
        return await owner.call(call)

    def _join(self, lists: Sequence[Sequence[ToolDescription]]) -> None:
        found: dict[str, ToolDescription] = {}
        self._owners = {}
        for source, tools in zip(self._sources, lists, strict=True):
            for tool in tools:
                if tool.name not in found:
                    found[tool.name], self._owners[tool.name] = tool, source
        self._catalogue = tuple(found.values())


@dataclass(frozen=True)
class OwnTool(Generic[ArgumentsT]):
    """Tool that runs within the agent, without the robot or other processes.

    Attributes:
        name: Unique name in snake case.
        description: Purpose and use of the tool, for a model.
        arguments: Model of the arguments object, with a description of every field.
        run: Runs the tool without blocking the event loop; returns a JSON object or raises `AgentError`.
        specialist: Agent that uses the tool.
        time_limit: Time limit of a call, s.
        needs_approval: Whether a person must approve each call.
        untrusted_output: Whether the result contains untrusted text.
        origin: Returns the provenance labels of a result in one line; needed if they differ between results.
    """

    name: str
    description: str
    arguments: type[ArgumentsT]
    run: Callable[[ArgumentsT, ToolCall], Awaitable[Mapping[str, Any]]]
    specialist: str
    time_limit: float = 10.0
    needs_approval: bool = False
    untrusted_output: bool = False
    origin: Callable[[Mapping[str, Any]], str] | None = None

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Runs the tool. Errors are returned in the outcome."""
        try:
            arguments = parse_arguments(self.name, self.arguments, call.arguments_json)
            async with asyncio.timeout(self.time_limit):
                result = await self.run(arguments, call)
        except TimeoutError:
            return _failed(ErrorCode.TIMEOUT, f"{self.name} took longer than {self.time_limit:g} s.")
        except AgentError as error:
            return ToolOutcome("{}", error)
        origin = None if self.origin is None else self.origin(result)
        return ToolOutcome(json.dumps(result, ensure_ascii=False), origin=origin)

    def described(self) -> ToolDescription:
        """Returns the tool's description for the catalogue."""
        return ToolDescription(
            self.name,
            self.description,
            schema_of(self.arguments),
            self.time_limit,
            needs_approval=self.needs_approval,
            specialist=self.specialist,
            untrusted_output=self.untrusted_output,
        )


class OwnTools:
    """Source of the tools that run within the agent. Implements `tools.protocol.tools.ToolSource`.

    Args:
        tools: Initial tools, with unique names.
    """

    def __init__(self, tools: Iterable[OwnTool[Any]] = ()) -> None:
        self._tools: dict[str, OwnTool[Any]] = {}
        self._catalogue: tuple[ToolDescription, ...] = ()
        self.add(tools)

    def add(self, tools: Iterable[OwnTool[Any]]) -> None:
        """Adds tools that become available after the start."""
        self._tools.update({tool.name: tool for tool in tools})
        self._catalogue = tuple(tool.described() for tool in self._tools.values())

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the tools that can be called now."""
        return self._catalogue

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Calls a tool. Errors are returned in the outcome."""
        tool = self._tools.get(call.tool)
        if tool is None:
            return _failed(ErrorCode.UNKNOWN_TOOL, f"There is no tool {call.tool!r:.80}.")
        return await tool.call(call)


def _failed(code: ErrorCode, message: str) -> ToolOutcome:
    return ToolOutcome("{}", AgentError(code, message))
