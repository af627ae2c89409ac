"""The labelled text in a model's context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.agent.guardrails.tool_output import wrapped_texts
from reachy_agent_ros.agent.provenance.label import Label, OriginKind, read
from reachy_agent_ros.agent.provenance.words import Words, words_in


@dataclass(frozen=True)
class LabelledText:
    """Text and where it comes from.

    Attributes:
        text: As the model is shown it.
        labels: Its origins; none where it is the robot's own or a person's.
    """

    text: str
    labels: tuple[Label, ...] = ()


class LabelledContext:
    """Collects what one turn's model is shown that has a label."""

    def __init__(self) -> None:
        self._labels: set[Label] = set()
        self._words = Words()

    @property
    def labels(self) -> tuple[Label, ...]:
        """All labels, sorted."""
        return tuple(sorted(self._labels))

    @property
    def words(self) -> Words:
        """The words and numbers of all labelled text."""
        return self._words

    def add(self, text: LabelledText) -> None:
        """Adds a text; one without labels does not count."""
        if text.labels:
            self._labels.update(text.labels)
            self._words |= words_in(text.text)

    def add_items(self, items: Iterable[Any]) -> None:
        """Adds the labelled texts in items of a conversation, or in a stored run, at any depth."""
        for text in labelled_texts(items):
            self.add(text)


def labelled_texts(item: Any) -> Iterator[LabelledText]:
    """The labelled texts in an item of a conversation, which the host marked when a tool returned them."""
    if isinstance(item, str):
        for source, origin, text in wrapped_texts(item):
            # Conversations from before provenance was kept name the tool alone.
            yield LabelledText(text, read(origin) if origin is not None else (Label(OriginKind.MEMORY, source),))
    elif isinstance(item, Mapping):
        for part in item.values():
            yield from labelled_texts(part)
    elif isinstance(item, Iterable):
        for part in item:
            yield from labelled_texts(part)
