"""Removal of quotations, whose words are not the person's own."""

from __future__ import annotations

import re

_CLOSING = {
    '"': '"',
    "\u201c": "\u201d",  # English
    "\u201e": "\u201c\u201d",  # German, and a common mixture
    "\u00ab": "\u00bb",  # French, Italian, Portuguese and Spanish
    "\u00bb": "\u00ab",  # German books
    "\u2039": "\u203a",
    "\u203a": "\u2039",
}
"""Characters that open a quotation, with those that close it."""

_MARK = re.compile("[" + "".join(sorted(set("".join([*_CLOSING, *_CLOSING.values()])))) + "]")


def without_quotations(text: str) -> str:
    """Replaces every quotation, with those inside of it, by a space. Takes linear time.

    A mark without its partner is not a quotation: "turn the 5" wheel" keeps all words.
    """
    kept, end = [], 0
    for start, stop in _quotations(text):
        if start >= end:
            kept.append(text[end:start])
            end = stop
    return " ".join([*kept, text[end:]])


def _quotations(text: str) -> list[tuple[int, int]]:
    """Returns start and end of every quotation, sorted by start."""
    found: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    expected = dict.fromkeys("".join(_CLOSING.values()), 0)  # number of open quotations that a mark would close
    for mark in _MARK.finditer(text):
        if expected.get(mark[0]):
            while True:  # marks without a partner may have opened inside of the quotation
                opening, start = opened.pop()
                for closing in _CLOSING[opening]:
                    expected[closing] -= 1
                if mark[0] in _CLOSING[opening]:
                    break
            found.append((start, mark.end()))
        elif mark[0] in _CLOSING:
            opened.append((mark[0], mark.start()))
            for closing in _CLOSING[mark[0]]:
                expected[closing] += 1
    return sorted(found)
