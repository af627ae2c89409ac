"""Finding the tool call in a text: some models know the format of a call but write it as their answer."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

_FENCED = re.compile(r"^\s*(?:```(?:json)?)?\s*(.*?)\s*(?:```)?\s*$", re.DOTALL)
_TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|(?=<tool_call>)|$)", re.DOTALL)


@dataclass(frozen=True)
class WrittenCall:
    """A call found in a text.

    Attributes:
        name: Tool.
        arguments: As written, not validated.
    """

    name: str
    arguments: dict[str, Any]


def may_become_call(text: str) -> bool:
    """Whether a text that begins so may turn out to be a call: held back until that is known, so nobody reads JSON."""
    return text.lstrip()[:1] in ("", "{", "[", "`", "<")


def written_calls(text: str, tools: Collection[str]) -> tuple[WrittenCall, ...]:
    """Reads a text that is one or several calls and nothing else.

    Args:
        text: The model's whole answer; fences, tags and doubled braces around the calls are taken off.
        tools: Names that count.

    Returns:
        The calls in order, none if the text is anything else, be it in part.
    """
    bodies = _TAGGED.findall(text) if text.lstrip().startswith("<tool_call>") else _FENCED.findall(text)
    calls = [call for body in bodies for call in _calls(body, tools)]
    return tuple(call for call in calls if call is not None) if None not in calls else ()


def _calls(body: str, tools: Collection[str]) -> list[WrittenCall | None]:
    for candidate in (body, body.removeprefix("{").removesuffix("}")):
        try:
            value = json.loads(candidate)
        except (json.JSONDecodeError, RecursionError):
            continue
        return [_call(entry, tools) for entry in (value if isinstance(value, list) else [value])]
    return [None]


def _call(value: Any, tools: Collection[str]) -> WrittenCall | None:
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or name not in tools:  # a list for a name could not even be looked up
        return None
    arguments = value.get("arguments", value.get("parameters", {}))
    if isinstance(arguments, str):
        return _with_arguments(name, arguments)
    return WrittenCall(name, arguments) if isinstance(arguments, dict) else None


def _with_arguments(name: str, text: str) -> WrittenCall | None:
    try:
        arguments = json.loads(text or "{}")
    except (json.JSONDecodeError, RecursionError):
        return None
    return WrittenCall(name, arguments) if isinstance(arguments, dict) else None
