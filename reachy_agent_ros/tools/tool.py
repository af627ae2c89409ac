"""Tool definitions: name, description, typed arguments and limits, as callers know them, and the handler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, Generic

from reachy_agent_ros.core.arguments import ArgumentsT, parse_arguments, schema_of
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.protocol.tools import ToolOrigin


class Permission(IntEnum):
    """What must happen before a tool runs; mirror of `ToolSpec`."""

    AUTONOMOUS = 0
    NOTIFY = 1
    CONFIRM = 2
    FORBIDDEN = 3


@dataclass(frozen=True)
class ToolSpecification(Generic[ArgumentsT]):
    """One tool as callers know it. The schema and the validation come from the same typed definition.

    Attributes:
        name: Unique, in snake case.
        description: What it does and when to use it, for a language model.
        arguments: Model of the arguments object; every field described, its unit in its name.
        time_limit: Longest a call may take, s.
        moves_robot: Whether the body moves.
        reversible: Whether what it does can be taken back, so that it may begin before a sentence is over.
        specialist: Agent that uses it: "robot", "vision", "web", "code" or "memory".
        untrusted_output: Whether its result holds text of others: from the web, a picture or a file.
        only_measures: Whether it only measures, so that people have nothing to judge.
        permission: What must happen before it runs.
        action_name: Typed action that does the same, empty if there is none.
        version: Counts up with each change of a generated tool.
        origin: Where it comes from.
    """

    name: str
    description: str
    arguments: type[ArgumentsT]
    time_limit: float
    moves_robot: bool = False
    reversible: bool = False
    specialist: str = "robot"
    untrusted_output: bool = False
    only_measures: bool = False
    permission: Permission = Permission.AUTONOMOUS
    action_name: str = ""
    version: int = 1
    origin: ToolOrigin = ToolOrigin.PREDEFINED

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema (2020-12) of the arguments object, without references."""
        return schema_of(self.arguments)

    def parse(self, arguments_json: str) -> ArgumentsT:
        """Reads the arguments of a call, a JSON object; raises `INVALID_ARGUMENTS`."""
        return parse_arguments(self.name, self.arguments, arguments_json)

    def implemented_by(self, handler: Callable[[ArgumentsT, ToolContext], dict[str, Any]]) -> Tool:
        """The tool whose work `handler` does. Also a decorator: `@ToolSpecification(...).implemented_by`."""
        return Tool(self, handler)


@dataclass(frozen=True)
class Tool:
    """A specification with its handler.

    Attributes:
        specification: What callers know.
        handler: Takes validated arguments of the specification's model; returns a JSON-serialisable object or raises
            `AgentError`. It runs in a worker thread, watches `context.cancel` and ends by `context.deadline`.
    """

    specification: ToolSpecification[Any]
    handler: Callable[[Any, ToolContext], dict[str, Any]]
