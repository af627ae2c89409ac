"""A case for a tool that came without any."""

from __future__ import annotations

import re
from typing import Any

from reachy_agent_ros.core.arguments import schema_of
from reachy_agent_ros.tool_generation.program import Program
from reachy_agent_ros.tool_generation.proving.case import Case

_PLAIN: dict[str, Any] = {"integer": 1, "number": 1.0, "boolean": True, "object": {}, "null": None}

_PLAIN_TEXTS = {
    r"urls?|uris?|links?|website|webpage|feed": "https://example.org/",
    r"hosts?|domains?": "example.org",
    r"e?mails?": "ada@example.org",
    r"colou?rs?": "red",
    r"time ?zones?|zones?|tz": "UTC",
    r"date|dates|day|birthday|deadline": "2026-01-31",
    r"time|times|clock": "12:30",
    r"path|paths|file|files|filename": "example.txt",
    r"cit(?:y|ies)|places?|towns?": "Paris",
    r"languages?|locale": "en",
    r"labels?|objects?|things?|items?": "apple",
    r"expressions?|formulas?|equations?": "1 + 1",
    r"json": "{}",
    r"numbers?|digits": "1",
    r"names?|person|persons|people|user|who|whom": "Ada",
}
"""What a text may well be whose name has such a word; the first that fits."""


def plain_case(program: Program) -> Case:
    """A call with every default, and the plainest arguments that the schema allows for what has none.

    Nobody says that a tool can do anything with them. So it may raise what values cause, a `ValueError` or a `KeyError`
    for instance, where any were invented; and as its defaults may be meant for a longer day, its own time limit does
    not end it, only the longest that a tool may ask for.
    """
    properties = schema_of(program.arguments).get("properties", {})
    required = [parameter.name for parameter in program.parameters if parameter.required]
    return Case({name: _plain(properties[name], _text(name, properties[name])) for name in required}, invented=True)


def _text(name: str, schema: dict[str, Any]) -> str:
    """By the parameter's name, or where that says nothing by its description."""
    for words in (name.replace("_", " "), schema.get("description", "")):
        for pattern, text in _PLAIN_TEXTS.items():
            if re.search(rf"\b(?:{pattern})\b", words, re.IGNORECASE):
                return text
    return "hello"


def _plain(schema: dict[str, Any], text: str) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _plain(schema["anyOf"][0], text)
    kind = schema.get("type", "string")
    if kind == "array":
        item = schema.get("items")  # where nobody says of what, none is safest
        items = schema.get("prefixItems") or [item] * schema.get("minItems", bool(item))
        return [_plain(one, text) for one in items]
    if kind in ("integer", "number"):
        value = max(_PLAIN[kind], schema.get("minimum", _PLAIN[kind]))
        return min(value, schema.get("maximum", value))
    return text if kind == "string" else _PLAIN[kind]
