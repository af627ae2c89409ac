"""A case for a tool that came without any."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.core.arguments import schema_of
from reachy_agent_ros.toolsmith.program import Program
from reachy_agent_ros.toolsmith.proving.case import Case

_PLAIN: dict[str, Any] = {"string": "hello", "integer": 1, "number": 1.0, "boolean": True, "object": {}, "null": None}


def plain_case(program: Program) -> Case:
    """A call with every default, and the plainest arguments that the schema allows for what has none."""
    properties = schema_of(program.arguments).get("properties", {})
    required = [parameter.name for parameter in program.parameters if parameter.required]
    return Case({name: _plain(properties[name]) for name in required}, invented=bool(required))


def _plain(schema: dict[str, Any]) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _plain(schema["anyOf"][0])
    kind = schema.get("type", "object")
    if kind == "array":
        items = schema.get("prefixItems") or [schema.get("items", {"type": "integer"})] * max(
            1, schema.get("minItems", 1)
        )
        return [_plain(item) for item in items]
    if kind in ("integer", "number"):
        value = max(_PLAIN[kind], schema.get("minimum", _PLAIN[kind]))
        return min(value, schema.get("maximum", value))
    return _PLAIN[kind]
