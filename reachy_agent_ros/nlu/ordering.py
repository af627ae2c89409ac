"""Clauses that say in what order things are done: "nod after looking up", "look left followed by a nod"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from reachy_agent_ros.nlu.courtesy import base_form
from reachy_agent_ros.nlu.sentence import Part
from reachy_agent_ros.nlu.text import Word, joined


def in_order(parts: Iterable[Part], is_command: Callable[[str], bool]) -> list[Part]:
    """Cuts such clauses, and puts the pieces in the order in which they are to be done.

    Args:
        parts: Clauses of one sentence.
        is_command: Whether a text is one by itself: "look before you leap" orders nothing.
    """
    return [piece for part in parts for piece in _ordered(part, is_command)]


def _ordered(part: Part, is_command: Callable[[str], bool]) -> Iterator[Part]:
    texts = [word.text for word in part.words]
    for index in range(1, len(texts) - 1):
        before, after = part.words[:index], part.words[index + 1 :]
        if texts[index : index + 2] == ["followed", "by"]:
            after = part.words[index + 2 :]
        elif texts[index] in ("before", "after"):
            after = _commanding(after)
        else:
            continue
        if after and is_command(joined(before)) and is_command(joined(after)):
            first, second = (after, before) if texts[index] == "after" else (before, after)
            yield replace(part, words=tuple(first))
            yield Part(tuple(second), sequential=True)
            return
    yield part


def _commanding(words: Sequence[Word]) -> tuple[Word, ...]:
    """Nodding twice: nod twice."""
    base = base_form(words[0].text) if words[0].text.endswith("ing") else None
    return () if base is None else (replace(words[0], text=base), *words[1:])
