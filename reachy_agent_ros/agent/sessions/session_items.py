"""What a conversation is made of: items as the SDK keeps them, and turns of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Item = Mapping[str, Any]
"""A message, a tool call or its result."""


def turns_of(items: Iterable[Item]) -> list[list[Item]]:
    """Items by turn: a turn begins where the person speaks. What stands before the first is left out."""
    turns: list[list[Item]] = []
    for item in items:
        if item.get("role") == "user":
            turns.append([])
        if turns:
            turns[-1].append(item)
    return turns


def text_of(item: Item) -> str:
    """The words of a message; a picture is named, not shown. Empty for what is no message."""
    content = item.get("content", "")
    if isinstance(content, str):
        return content
    parts = [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []
    return " ".join("[picture]" if part.get("type") == "input_image" else _words(part) for part in parts).strip()


def _words(part: Item) -> str:
    return str(part.get("text") or part.get("refusal") or "")
