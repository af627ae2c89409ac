"""Provenance labels for untrusted text, and the labeled text in a model's context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reachy_agent_ros.agent.guardrails.tool_output import wrapped_texts
from reachy_agent_ros.agent.provenance.words import Words, words_in
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

_NAME = re.compile(r"[^\w.+-]")


class OriginKind(StrEnum):
    """Kind of source of labeled text."""

    WEB = "web"
    MCP = "mcp"
    DOCUMENT = "document"
    PICTURE = "picture"
    GENERATED = "generated"
    MEMORY = "memory"
    """Memory that was derived from text of another origin."""


@dataclass(frozen=True, order=True)
class Label:
    """Provenance label, which names the origin of a text.

    Attributes:
        kind: Kind of source.
        source: Name of the tool; for a memory, the origin of its text; empty if unspecified.
    """

    kind: OriginKind
    source: str = ""

    def __post_init__(self) -> None:
        # Labels are written to attributes, logs and lists, so a source must not contain separators.
        object.__setattr__(self, "source", _NAME.sub("_", self.source)[:80])

    def __str__(self) -> str:
        return f"{self.kind}:{self.source}" if self.source else self.kind.value

    @property
    def phrase(self) -> str:
        """Readable description of the origin, such as "text from a web page"."""
        return _PHRASES[self.kind].format(" ".join(filter(None, self.source.split("_"))) or "another program")


_PHRASES = {
    OriginKind.WEB: "text from a web page",
    OriginKind.MCP: "a result of {}",
    OriginKind.DOCUMENT: "text from a document or note",
    OriginKind.PICTURE: "text from a picture",
    OriginKind.GENERATED: "a result of the generated tool {}",
    OriginKind.MEMORY: "a memory that was made of text from elsewhere",
}

_KIND_OF_SPECIALIST = {"web": OriginKind.WEB, "vision": OriginKind.PICTURE, "memory": OriginKind.MEMORY}


def labels_of(tool: ToolDescription) -> tuple[Label, ...]:
    """Returns the provenance labels of a tool's results; empty if the results are trusted.

    Args:
        tool: Description from the host. Statements by a model or in the result do not count.
    """
    if tool.origin is ToolOrigin.EXTERNAL:
        return (Label(OriginKind.MCP, tool.name),)
    if tool.origin is ToolOrigin.GENERATED:
        return (Label(OriginKind.GENERATED, tool.name),)
    if not tool.untrusted_output:
        return ()
    return (Label(_KIND_OF_SPECIALIST.get(tool.specialist, OriginKind.GENERATED), tool.name),)


def written(labels: Iterable[Label]) -> str:
    """Formats labels as one sorted line for storage; empty if there are no labels."""
    return ",".join(sorted({str(label) for label in labels}))


def read(text: str) -> tuple[Label, ...]:
    """Parses labels that `written` has formatted.

    A label of an unknown kind becomes a label of a memory from that origin.
    """
    return tuple(_read(part) for part in text.split(",") if part)


def remembered(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Returns the labels for a memory entry that is derived from text with the given labels."""
    kinds = {label.source if label.kind is OriginKind.MEMORY else label.kind.value for label in labels}
    return tuple(Label(OriginKind.MEMORY, kind) for kind in sorted(kinds))


def phrase(labels: Iterable[Label]) -> str:
    """Describes the origins of labeled text in readable words, without duplicates."""
    return " and ".join(dict.fromkeys(label.phrase for label in sorted(set(labels))))


def _read(part: str) -> Label:
    kind, _, source = part.partition(":")
    return Label(OriginKind(kind), source) if kind in tuple(OriginKind) else Label(OriginKind.MEMORY, part)


@dataclass(frozen=True)
class LabeledText:
    """Text with provenance labels.

    Attributes:
        text: Text as shown to the model.
        labels: Labels of the origins; none for text of the robot or a person.
    """

    text: str
    labels: tuple[Label, ...] = ()


class LabeledContext:
    """Collection of the labeled text that a model has read in one turn."""

    def __init__(self) -> None:
        self._labels: set[Label] = set()
        self._words = Words()

    @property
    def labels(self) -> tuple[Label, ...]:
        """Labels of all collected text, sorted."""
        return tuple(sorted(self._labels))

    @property
    def words(self) -> Words:
        """Words and numbers of all collected text."""
        return self._words

    def add(self, text: LabeledText) -> None:
        """Adds a text. Ignores text without labels."""
        if text.labels:
            self._labels.update(text.labels)
            self._words |= words_in(text.text)

    def add_items(self, items: Iterable[Any]) -> None:
        """Adds all labeled texts in conversation items or in a stored run, at any depth."""
        for text in _labeled_texts(items):
            self.add(text)


def _labeled_texts(item: Any) -> Iterator[LabeledText]:
    """Yields the labeled texts in a conversation item. A tool result is labeled when the tool returns it."""
    if isinstance(item, str):
        for source, origin, text in wrapped_texts(item):
            # Older conversations, which predate provenance, contain only the tool's name.
            yield LabeledText(text, read(origin) if origin is not None else (Label(OriginKind.MEMORY, source),))
    elif isinstance(item, Mapping):
        for part in item.values():
            yield from _labeled_texts(part)
    elif isinstance(item, Iterable):
        for part in item:
            yield from _labeled_texts(part)
