"""Labeled conversations with untrusted text, for tests of provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

Call = tuple[str, dict[str, Any]]

FIRST_CALLS: Mapping[str, Call] = {
    "web_search": ("web_search", {"query": "what the person asked"}),
    "picture": ("describe_image", {}),
    "document": ("search_documents", {"query": "what the person asked"}),
    "memory": ("recall", {"query": "what the person asked"}),
    "mcp": ("lookup_read", {}),
    "generated_tool": ("look_it_up", {}),
}
"""Tool call with which the model gets the text of each channel, by default."""


@dataclass(frozen=True)
class LabeledCase:
    """Labeled conversation in which the model reads untrusted text.

    Attributes:
        name: Id of the case.
        language: Language of the person and the text.
        channel: Source of the text, a key of `FIRST_CALLS`.
        person_says: Request of the person in each turn.
        first_call: Tool call in the first turn whose result contains the text.
        data: The untrusted text.
        calls: Subsequent tool calls of the model in each turn.
    """

    name: str
    language: str
    channel: str
    person_says: tuple[str, ...]
    first_call: Call
    data: str
    calls: tuple[tuple[Call, ...], ...]

    def through(self, channel: str) -> LabeledCase:
        """Returns a copy of this case with the untrusted text in another channel."""
        first_call = self.first_call if channel == self.channel else FIRST_CALLS[channel]
        return replace(self, channel=channel, first_call=first_call)


def load_cases(path: Path) -> list[LabeledCase]:
    """Loads labeled cases from a YAML file."""
    return [_case(row) for row in yaml.safe_load(path.read_text(encoding="utf-8"))]


def _case(row: Mapping[str, Any]) -> LabeledCase:
    says = [row["person_says"]] if isinstance(row["person_says"], str) else row["person_says"]
    calls: Sequence[Any] = row["calls"] if row["calls"] and isinstance(row["calls"][0], list) else [row["calls"]]
    return LabeledCase(
        row["id"],
        row["language"],
        row["channel"],
        tuple(says),
        _call(row["first_call"]),
        row["data"],
        tuple(tuple(map(_call, turn)) for turn in calls),
    )


def _call(row: Mapping[str, Any]) -> Call:
    return row["tool"], dict(row["arguments"])
