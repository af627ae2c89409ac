"""JSON Schemas that strangers wrote, made safe to check arguments with and to show to a model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from reachy_agent_ros.core.errors import AgentError, ErrorCode

LARGEST_SCHEMA = 20_000
"""Characters: all tools of all servers share the model's attention."""

LONGEST_DESCRIPTION = 300
"""Characters of what a schema says about one argument."""

_DEAF = ("pattern", "patternProperties", "$dynamicRef", "$recursiveRef", "$schema", "$id", "id", "$anchor")
"""Left to the server, which checks its arguments itself: a stranger's pattern can take for ever to match, and names of
schemas make references mean something else."""


def safe_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of an arguments object that can be used.

    Args:
        schema: As the server gave it.

    Raises:
        AgentError: `VALIDATION_FAILED`, saying what it is that cannot be used.
    """
    try:
        if len(json.dumps(schema, allow_nan=False)) > LARGEST_SCHEMA:
            raise _unusable(f"it is longer than {LARGEST_SCHEMA} characters")
        Draft202012Validator.check_schema(schema)
        safe = _cleaned(schema)
    except SchemaError as error:
        raise _unusable(f"{error.message:.120}") from None
    except (TypeError, ValueError, RecursionError):
        raise _unusable("it is no JSON, or nested too deeply") from None
    if not isinstance(safe, dict) or safe.get("type") != "object":
        raise _unusable("it describes no object")
    if not all(isinstance(about, dict) for about in safe.get("properties", {}).values()):
        raise _unusable("it does not describe every argument")
    try:
        resolver = Registry().with_resource("", DRAFT202012.create_resource(safe)).resolver()
        for reference in _references(safe):
            resolver.lookup(reference)
    except Unresolvable:
        raise _unusable("it refers to something that is not in it") from None
    return safe


def texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, content in value.items():
            yield key
            yield from texts(content)
    elif isinstance(value, list):
        for content in value:
            yield from texts(content)


def _cleaned(value: Any) -> Any:
    """Without patterns and titles, and with short descriptions; names of arguments are no keywords."""
    if isinstance(value, list):
        return [_cleaned(content) for content in value]
    if not isinstance(value, Mapping):
        return value
    clean: dict[str, Any] = {}
    for key, content in value.items():
        if key in ("properties", "$defs", "definitions") and isinstance(content, Mapping):
            clean[key] = {name: _cleaned(about) for name, about in content.items()}
        elif key == "description" and isinstance(content, str):
            clean[key] = " ".join(content.split())[:LONGEST_DESCRIPTION]
        elif key in ("default", "const", "enum", "examples", "required"):
            clean[key] = content
        elif key not in (*_DEAF, "title"):
            clean[key] = _cleaned(content)
    return clean


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for content in value.values():
            yield from _references(content)
    elif isinstance(value, list):
        for content in value:
            yield from _references(content)


def _unusable(complaint: str) -> AgentError:
    return AgentError(ErrorCode.VALIDATION_FAILED, f"left out, because its schema cannot be used: {complaint}")
