"""Strict parsing of tool arguments, so that permission rules and tools cannot interpret them differently."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from referencing.exceptions import Unresolvable

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.strict_json import unambiguous_json
from reachy_agent_ros.core.suggestion import did_you_mean
from reachy_agent_ros.tools.protocol.tools import ToolDescription


class ArgumentLimitError(AgentError):
    """`INVALID_ARGUMENTS`: a number is beyond its inclusive minimum or maximum.

    Args:
        message: Error message.
        argument: Name of the argument.
        limit: Minimum or maximum, in the unit of the argument.
    """

    def __init__(self, message: str, argument: str, limit: float) -> None:
        super().__init__(ErrorCode.INVALID_ARGUMENTS, message)
        self.argument = argument
        self.limit = limit


def read_arguments(tool: ToolDescription, arguments_json: str) -> dict[str, Any]:
    """Returns the arguments of a call. Omitted arguments get the default values in the schema.

    Ambiguous JSON is rejected. With a duplicate argument, one parser would take the first value and another the last:
    a rule could then judge one value while the tool receives the other.

    Args:
        tool: The tool to call.
        arguments_json: A JSON object; empty means no arguments.

    Raises:
        ArgumentLimitError: A number is beyond its inclusive minimum or maximum.
        AgentError: `INVALID_ARGUMENTS` for any other mistake.
    """
    try:
        arguments = unambiguous_json(arguments_json.strip() or "{}")
        complaint = best_match(_validator(json.dumps(tool.schema)).iter_errors(arguments))
    except ValueError as error:
        raise _invalid(tool, f"the arguments are not a JSON object: {error}") from None
    except RecursionError:
        raise _invalid(tool, "the arguments are nested too deeply") from None
    except (SchemaError, Unresolvable) as error:
        raise _invalid(tool, f"its schema is invalid, so its arguments cannot be checked: {error!s:.200}") from None
    if complaint is not None:
        place = ".".join(map(str, complaint.path))
        if complaint.validator == "additionalProperties":
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{tool.name}: {_unknown_argument(complaint)}")
        invalid = _invalid(tool, f"{place or 'the arguments'}: {complaint.message:.200}")
        if place and complaint.validator in ("minimum", "maximum"):
            raise ArgumentLimitError(invalid.message, place, float(complaint.validator_value))
        raise invalid
    if not isinstance(arguments, dict):
        raise _invalid(tool, "the arguments must be a JSON object")
    return {**_defaults(tool.schema), **arguments}


@lru_cache(512)
def _validator(schema_json: str) -> Draft202012Validator:
    """Returns the validator of a schema. Cached, because checking a schema takes milliseconds."""
    schema = json.loads(schema_json)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def _defaults(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    return {name: about["default"] for name, about in properties.items() if "default" in about}


def _unknown_argument(complaint: ValidationError) -> str:
    """Returns a sentence that names the unknown argument and the closest argument, or all arguments."""
    known = complaint.schema.get("properties", {})
    unknown = next(name for name in complaint.instance if name not in known)
    advice = did_you_mean(unknown, known) or f" Expected: {', '.join(known) or 'none':.200}."
    return f"unknown argument {unknown!r:.60}.{advice}"


def _invalid(tool: ToolDescription, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"{tool.name}: {complaint}.")
