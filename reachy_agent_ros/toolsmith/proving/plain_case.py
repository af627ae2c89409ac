"""A case for a tool that came without any."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.core.arguments import schema_of
from reachy_agent_ros.toolsmith.program import Program
from reachy_agent_ros.toolsmith.proving.case import Case

_PLAIN: dict[str, Any] = {"string": "hello", "integer": 1, "number": 1.0, "boolean": True, "object": {}, "null": None}


def plain_case(program: Program) -> Case:
    """A call with every default, and the plainest arguments that the schema allows for what has none.

    Nobody says that a tool can do anything with them. So it may raise what values cause, a `ValueError` or a `KeyError`
    for instance, where any were invented; and as its defaults may be meant for a longer day, its own time limit does
    not end it, only the longest that a tool may ask for.
    """
    properties = schema_of(program.arguments).get("properties", {})
    required = [parameter.name for parameter in program.parameters if parameter.required]
    return Case({name: _plain(properties[name]) for name in required}, invented=True)


def _plain(schema: dict[str, Any]) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _plain(schema["anyOf"][0])
    kind = schema.get("type", "string")
    if kind == "array":
        items = schema.get("items")  # where nobody says of what, none is safest
        return [_plain(item) for item in schema.get("prefixItems") or [items] * schema.get("minItems", bool(items))]
    if kind in ("integer", "number"):
        value = max(_PLAIN[kind], schema.get("minimum", _PLAIN[kind]))
        return min(value, schema.get("maximum", value))
    return _PLAIN[kind]
