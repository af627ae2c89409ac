"""How a person is asked whether a call may be made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MOST_CHARACTERS = 200
"""Of the arguments; nobody listens to more."""

ANSWERS = "Please say yes or no."


def question(tool: str, arguments_json: str, why: str = "") -> str:
    """What is said and shown, in one or two sentences.

    Args:
        tool: Name.
        arguments_json: A JSON object.
        why: Why it asks, a sentence without its beginning and full stop: "it follows text from a web page".
    """
    try:
        arguments = json.loads(arguments_json or "{}")
    except (ValueError, RecursionError):
        arguments = {}
    told = _told(arguments) if isinstance(arguments, dict) else ""
    reason = f"{why[:1].upper()}{why[1:]}: " if why else ""
    return (
        f"{reason}{'may' if why else 'May'} I use {tool.replace('_', ' ')}{f' with {told}' if told else ''}? {ANSWERS}"
    )


def _told(arguments: Mapping[str, Any]) -> str:
    parts = ", ".join(f"{name.replace('_', ' ')} {_value(value)}" for name, value in arguments.items())
    return parts if len(parts) <= MOST_CHARACTERS else f"{parts[: MOST_CHARACTERS - 1]}…"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
