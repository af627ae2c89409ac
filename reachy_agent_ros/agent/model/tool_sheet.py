"""A tool in few words for a prompt: its JSON schema takes more tokens, and small models read slowly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_OBJECT = {"type", "properties", "required", "additionalProperties", "title", "description"}
_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}
_VALUE = {"type", "description", "title", "default", "enum", *_BOUNDS}
_SIMPLE = ("string", "number", "integer", "boolean")


def tool_sheet(name: str, description: str, schema: Mapping[str, Any]) -> str:
    """Describes a tool.

    Args:
        name: Of the tool.
        description: What it does.
        schema: JSON schema of its arguments. What has no short form here stays JSON.

    Returns:
        A line for the tool and one for each argument.
    """
    head = f"{name}: {description}"
    if not schema:
        return head
    if schema.get("type") != "object" or not _OBJECT.issuperset(schema):
        return f"{head}\n  args by the JSON schema {json.dumps(schema)}"
    required = schema.get("required", ())
    arguments = schema.get("properties", {})
    return "\n".join([head, *(f"  {key}: {_argument(value, key in required)}" for key, value in arguments.items())])


def _argument(value: Any, required: bool) -> str:
    if not isinstance(value, dict) or not _has_words(value):
        return f"{json.dumps(value)}{'' if required else ', optional'}"
    words = f". {value['description']}" if value.get("description") else ""
    return _kind(value) + _need(value, required) + words


def _has_words(value: Mapping[str, Any]) -> bool:
    bounds = (value[key] for key in _BOUNDS.intersection(value))
    return (
        value.get("type") in _SIMPLE
        and _VALUE.issuperset(value)
        and isinstance(value.get("enum", []), list)
        and all(isinstance(bound, int | float) for bound in bounds)
    )


def _kind(value: Mapping[str, Any]) -> str:
    if "enum" in value:
        return "one of " + ", ".join(json.dumps(each) for each in value["enum"])
    least = _bound(value, "minimum", "from {:g}") or _bound(value, "exclusiveMinimum", "above {:g}")
    most = _bound(value, "maximum", "to {:g}") or _bound(value, "exclusiveMaximum", "below {:g}")
    length = _bound(value, "maxLength", "of at most {:g} characters")
    return " ".join(word for word in (value["type"], least, most, length) if word)


def _bound(value: Mapping[str, Any], key: str, words: str) -> str:
    return words.format(value[key]) if key in value else ""


def _need(value: Mapping[str, Any], required: bool) -> str:
    if "default" in value:
        return f", default {json.dumps(value['default'])}"
    return "" if required else ", optional"
