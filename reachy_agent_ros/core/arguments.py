"""Typed arguments of tools: JSON Schema, validation and error messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class ToolArguments(BaseModel):
    """Base of all tool arguments. Values that do not match the JSON Schema are rejected, never converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class NoArguments(ToolArguments):
    """Arguments of a tool that has no arguments."""


ArgumentsT = TypeVar("ArgumentsT", bound=ToolArguments)

WHOLE = BeforeValidator(lambda value: _whole(value))
"""Makes an integer argument also accept 2.0: JSON Schema and language models do not distinguish 2 from 2.0.

In an optional argument, it must follow the bounds. Otherwise, pydantic leaves them out of the JSON Schema.
"""

WholeNumber = Annotated[int, WHOLE]
"""Integer argument that also accepts 2.0."""


@dataclass(frozen=True)
class OneOf:
    """Annotation for a string argument whose allowed values are known only at run time.

    Attributes:
        names: Allowed values, at least one.
    """

    names: Sequence[str]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Returns the pydantic schema of a string that must be one of the allowed values."""
        return core_schema.literal_schema(list(self.names))


def schema_of(arguments: type[ToolArguments]) -> dict[str, Any]:
    """Returns the JSON Schema (2020-12) of an arguments class, without references."""
    return arguments.model_json_schema(schema_generator=_PlainSchema)


def parse_arguments(tool: str, arguments: type[ArgumentsT], arguments_json: str) -> ArgumentsT:
    """Parses and validates the arguments of a tool call.

    Args:
        tool: Tool name for error messages.
        arguments: Class of the arguments.
        arguments_json: JSON object; empty for no arguments.


    Raises:
        AgentError: `INVALID_ARGUMENTS`, with each invalid argument and what was expected.
    """
    try:
        return arguments.model_validate_json(arguments_json.strip() or "{}")
    except ValidationError as error:
        complaints = "; ".join(_complaint(arguments, detail) for detail in error.errors())
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{tool}: {complaints}.") from None


def _complaint(arguments: type[ToolArguments], detail: ErrorDetails) -> str:
    argument = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        known = ", ".join(arguments.model_fields) or "none"
        return f"there is no argument {argument!r}; the arguments are: {known}"
    if detail["type"] == "missing":
        return f"the argument {argument!r} is missing"
    message = detail["msg"].replace("Input should", "must")
    if not argument:
        return f"the arguments must be one JSON object: {message}"
    return f"{argument} {message}, not {detail['input']!r:.80}"


class _PlainSchema(GenerateJsonSchema):
    """Generates JSON Schemas without titles and class docstrings, which distract a language model.

    Titles only repeat the names.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def generate(self, schema: CoreSchema, mode: Any = "validation") -> dict[str, Any]:
        result = super().generate(schema, mode)
        definitions = result.pop("$defs", {})
        for part in (result, *definitions.values()):
            part.pop("title", None)
            part.pop("description", None)
        plain: dict[str, Any] = _without_references(result, definitions)
        return plain


def _without_references(schema: Any, definitions: dict[str, Any]) -> Any:
    """Returns a JSON Schema without references, because not all servers resolve references in tool schemas."""
    if isinstance(schema, list):
        return [_without_references(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    named = definitions.get(str(schema.get("$ref", "")).rpartition("/")[2], {})
    whole = {**named, **{name: part for name, part in schema.items() if name != "$ref"}}
    return {name: _without_references(part, definitions) for name, part in whole.items()}


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value
