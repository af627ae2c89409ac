"""A text cut into passages that can be found and cited one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 800
"""Characters of a passage: about the 256 tokens that its vector can take in."""

_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass(frozen=True)
class Passage:
    """A part of a text.

    Attributes:
        heading: The last heading above it, without its marks; empty where there is none.
        first: Its first line, counted from 1.
        last: Its last line.
        text: Its lines.
    """

    heading: str
    first: int
    last: int
    text: str

    @property
    def place(self) -> str:
        """Heading and lines, to be cited."""
        lines = f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"
        return f"{self.heading}, {lines}" if self.heading else lines


Line = tuple[int, str]


def passages(text: str) -> list[Passage]:
    """Cuts at headings of Markdown, then at paragraphs, so that none is longer than 800 characters.

    A line that is longer by itself is cut within; its parts bear the same line number.
    """
    return [
        Passage(heading, part[0][0], part[-1][0], "\n".join(line for _, line in part).strip())
        for heading, lines in _sections(text)
        for part in _parts(lines)
        if any(line.strip() for _, line in part)
    ]


def _sections(text: str) -> Iterator[tuple[str, list[Line]]]:
    """Headings and the lines from each to the next; a heading that has nothing below it still counts."""
    heading, lines, fence = "", list[Line](), ""
    # Only at the ends that editors count: splitlines would also cut at form feeds and separators of Unicode.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        mark = _FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        found = None if fence else _HEADING.match(line)
        if found:
            yield heading, lines
            heading, lines = found[1], []
        lines.append((number, line))
    yield heading, lines


def _parts(lines: list[Line]) -> Iterator[list[Line]]:
    part, size = list[Line](), 0
    for paragraph in _paragraphs(lines):
        length = sum(len(line) + 1 for _, line in paragraph)
        if part and size + length > LONGEST:
            yield part
            part, size = [], 0
        part = [*part, *paragraph]
        size += length
    if part:
        yield part


def _paragraphs(lines: list[Line]) -> Iterator[list[Line]]:
    """Lines up to a blank one, or as many as are no longer than a passage."""
    paragraph, size = list[Line](), 0
    for number, line in lines:
        for piece in [line[start : start + LONGEST - 1] for start in range(0, len(line), LONGEST - 1)] or [""]:
            if paragraph and (not piece.strip() or size + len(piece) + 1 > LONGEST):
                yield paragraph
                paragraph, size = [], 0
            if piece.strip():
                paragraph.append((number, piece))
                size += len(piece) + 1
    if paragraph:
        yield paragraph
