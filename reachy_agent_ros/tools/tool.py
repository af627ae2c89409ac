"""Definitions of tools: name, description, typed arguments, limits and handler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, Generic

from reachy_agent_ros.core.arguments import ArgumentsT, parse_arguments, schema_of
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.protocol.tools import ToolAuthor, ToolOrigin


class Permission(IntEnum):
    """Permission level of a tool, equivalent to the constants of the message `ToolSpec`."""

    AUTONOMOUS = 0
    NOTIFY = 1
    CONFIRM = 2
    FORBIDDEN = 3


@dataclass(frozen=True)
class ToolSpecification(Generic[ArgumentsT]):
    """Description of a tool for callers. The schema and the validation come from the same typed definition.

    Attributes:
        name: Unique name in snake case.
        description: What the tool does and when to use it, for a language model.
        arguments: Model of the arguments object. Every field has a description, and a unit in its name.
        time_limit: Maximum duration of a call, s.
        moves_robot: Whether the tool moves the robot.
        reversible: Whether its effect can be undone, so that it may start before a sentence is complete.
        specialist: Agent that uses the tool: "robot", "vision", "web", "code" or "memory".
        untrusted_output: Whether its result may contain untrusted text: from the web, a picture or a file.
        only_measures: Whether the tool only measures, so that there is no action to judge.
        permission: Permission level.
        action_name: Typed ROS action with the same effect; empty if none.
        version: Increments with each change of a generated tool.
        origin: Origin of the tool.
        author: Author of a generated tool.
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
    author: ToolAuthor = ToolAuthor.NONE

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema (2020-12) of the arguments object, without references."""
        return schema_of(self.arguments)

    def parse(self, arguments_json: str) -> ArgumentsT:
        """Parses the arguments of a call, which are a JSON object. Raises `INVALID_ARGUMENTS`."""
        return parse_arguments(self.name, self.arguments, arguments_json)

    def implemented_by(self, handler: Callable[[ArgumentsT, ToolContext], dict[str, Any]]) -> Tool:
        """Creates the tool with a handler. Can be used as a decorator: `@ToolSpecification(...).implemented_by`."""
        return Tool(self, handler)


@dataclass(frozen=True)
class Tool:
    """Tool: a specification and the handler that implements it.

    Attributes:
        specification: Description of the tool for its callers.
        handler: Receives validated arguments and returns a JSON-serializable object or raises `AgentError`. It runs in
            a worker thread, watches `context.cancel` and ends by `context.deadline`.
    """

    specification: ToolSpecification[Any]
    handler: Callable[[Any, ToolContext], dict[str, Any]]
