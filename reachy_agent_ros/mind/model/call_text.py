"""Finding the tool call in a text: some models know the format of a call but write it as their answer."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

_WRAPPING = re.compile(r"^\s*(?:```(?:json)?|<tool_call>)?\s*(.*?)\s*(?:```|</tool_call>)?\s*$", re.DOTALL)


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
    return text.lstrip()[:1] in ("", "{", "`", "<")


def written_call(text: str, tools: Collection[str]) -> WrittenCall | None:
    """Reads a text that is one call and nothing else.

    Args:
        text: The model's whole answer; fences, tags and doubled braces around the call are taken off.
        tools: Names that count.

    Returns:
        The call, or None if it is something else.
    """
    match = _WRAPPING.match(text)
    body = match[1] if match else text
    for candidate in (body, body.removeprefix("{").removesuffix("}")):
        call = _parsed(candidate, tools)
        if call is not None:
            return call
    return None


def _parsed(text: str, tools: Collection[str]) -> WrittenCall | None:
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return None
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    if not isinstance(value, dict) or value.get("name") not in tools:
        return None
    arguments = value.get("arguments", value.get("parameters", {}))
    if isinstance(arguments, str):
        return _with_arguments(value["name"], arguments)
    return WrittenCall(value["name"], arguments) if isinstance(arguments, dict) else None


def _with_arguments(name: str, text: str) -> WrittenCall | None:
    try:
        arguments = json.loads(text or "{}")
    except json.JSONDecodeError:
        return None
    return WrittenCall(name, arguments) if isinstance(arguments, dict) else None
