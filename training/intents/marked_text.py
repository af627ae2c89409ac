"""Sentences in which free text is marked: "find my [object:keys]"."""

from __future__ import annotations

import re

MARKED = re.compile(r"\[(\w+):([^\[\]]*)\]")
"""Marked free text with its kind."""


def unmarked(marked: str) -> tuple[str, list[tuple[int, int, str]]]:
    """Returns a sentence without the marks of its free text, and the start, end and kind of each free text."""
    pieces: list[str] = []
    spans = []
    end = length = 0
    for match in MARKED.finditer(marked):
        pieces += [marked[end : match.start()], match[2]]
        length += match.start() - end
        spans.append((length, length + len(match[2]), match[1]))
        length += len(match[2])
        end = match.end()
    return "".join([*pieces, marked[end:]]), spans
