"""What a tool is to those who call it: a name, words, typed arguments and limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class Origin(IntEnum):
    """Where a tool comes from; mirror of `ToolSpec`."""

    PREDEFINED = 0
    GENERATED = 1
    EXTERNAL = 2


class Permission(IntEnum):
    """What must happen before a tool runs; mirror of `ToolSpec`."""

    AUTONOMOUS = 0
    NOTIFY = 1
    CONFIRM = 2
    FORBIDDEN = 3


class ToolArguments(BaseModel):
    """Base of every tool's arguments: what the JSON Schema does not allow is refused, nothing is converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


ArgumentsT = TypeVar("ArgumentsT", bound=ToolArguments)

WholeNumber = Annotated[int, BeforeValidator(lambda value: _whole(value))]
"""An integer, also when written 2.0: JSON Schema and language models make no difference."""


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
    permission: Permission = Permission.AUTONOMOUS
    action_name: str = ""
    version: int = 1
    origin: Origin = Origin.PREDEFINED

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema (2020-12) of the arguments object, without references."""
        return self.arguments.model_json_schema(schema_generator=_PlainSchema)

    def parse(self, arguments_json: str) -> ArgumentsT:
        """Reads the arguments of a call.

        Args:
            arguments_json: A JSON object; empty means no arguments.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, naming each argument that is wrong and what it must be.
        """
        try:
            return self.arguments.model_validate_json(arguments_json.strip() or "{}")
        except ValidationError as error:
            complaints = "; ".join(self._complaint(detail) for detail in error.errors())
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{self.name}: {complaints}.") from None

    def _complaint(self, detail: ErrorDetails) -> str:
        argument = ".".join(str(part) for part in detail["loc"])
        if detail["type"] == "extra_forbidden":
            known = ", ".join(self.arguments.model_fields) or "none"
            return f"there is no argument {argument!r}, the arguments are: {known}"
        if detail["type"] == "missing":
            return f"the argument {argument!r} is missing"
        message = detail["msg"].replace("Input should", "must")
        if not argument:
            return f"the arguments are one JSON object: {message}"
        return f"{argument} {message}, not {detail['input']!r:.80}"


@dataclass(frozen=True)
class OneOf:
    """Annotation of a string that must be one of a vocabulary known only at run time.

    Attributes:
        names: The vocabulary, not empty.
    """

    names: Sequence[str]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A literal, as if the names had been written into the type."""
        return core_schema.literal_schema(list(self.names))


class _PlainSchema(GenerateJsonSchema):
    """Leaves out titles, which only repeat the names and cost a language model's attention."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def generate(self, schema: CoreSchema, mode: Any = "validation") -> dict[str, Any]:
        result = super().generate(schema, mode)
        result.pop("title", None)
        result.pop("description", None)
        return result


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value
