"""Text files in the memory: cut into passages that are found and cited with file, heading and lines.

`Documents` are files that somebody gave to be searched; notes use `update_from_file` as well.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.entry_store import Forgotten
from reachy_agent_ros.agent.memory.entry_table import Fingerprint
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.provenance.label import Label, OriginKind, written
from reachy_agent_ros.core.contained_file import read_inside
from reachy_agent_ros.core.errors import AgentError, ErrorCode

SUFFIXES = (".md", ".markdown", ".txt")

LARGEST = 2_000_000
"""Bytes of a file: some 2,500 passages, half a minute's work."""

LONGEST = 800
"""Characters of a passage: about the 256 tokens that its vector can take in."""

_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")

Line = tuple[int, str]


class Documents:
    """Text and Markdown files whose passages are found with file, heading and lines.

    Args:
        memory: Where the passages are.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def add(self, path: Path) -> bool:
        """Reads a file, or reads it again where it has changed.

        Returns:
            Whether it was new or had changed.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it is no text, too large or cannot be read; `STORAGE_FAILED`.
        """
        path = path.expanduser().absolute()
        known = self._memory.files(EntryKind.DOCUMENT).get(str(path))
        return update_from_file(self._memory, EntryKind.DOCUMENT, str(path), path, known)

    def listed(self) -> list[Path]:
        """Files that were read.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return sorted(map(Path, self._memory.files(EntryKind.DOCUMENT)))

    def forget(self, path: Path) -> Forgotten:
        """Forgets what was read of a file; the file is not touched.

        Raises:
            AgentError: `NOT_FOUND`: it was not read; `STORAGE_FAILED`.
        """
        key = str(path.expanduser().absolute())
        if key not in self._memory.files(EntryKind.DOCUMENT):
            raise AgentError(ErrorCode.NOT_FOUND, f"{key} is not among the documents.")
        return self._memory.forget_file(EntryKind.DOCUMENT, key)


def update_from_file(memory: Memory, kind: EntryKind, key: str, path: Path, known: Fingerprint | None) -> bool:
    """Makes the memory hold what the file holds.

    Args:
        memory: Where its passages are.
        kind: A note or a document.
        key: Under which they are known and cited.
        path: The file.
        known: What `memory.files` says of it: read once for a whole folder, not once a file.

    Returns:
        Whether anything had changed.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it is no text, too large or cannot be read; `STORAGE_FAILED`.
    """
    if not _is_text(key):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{key!r} is a name that is no text in UTF-8.")
    try:
        modified = path.lstat().st_mtime_ns
        if known and known.modified == modified:
            return False
        content = _content(path)
    except OSError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} cannot be read: {error.strerror}.") from error
    digest = hashlib.sha256(content.encode()).hexdigest()
    if known and known.sha256 == digest:
        return False
    origin = written([Label(OriginKind.DOCUMENT)])
    found = [
        MemoryEntry(kind, passage.text, key, f"{key}, {passage.place}", modified / 1e9, origin=origin)
        for passage in passages(content)
    ]
    memory.replace_file(kind, key, found, Fingerprint(modified, digest))
    return True


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


def _content(path: Path) -> str:
    if path.suffix.lower() not in SUFFIXES:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path.name} is none of {', '.join(SUFFIXES)}.")
    content = read_inside(path.parent, path, LARGEST)  # what became a link since it was added is another file
    if len(content) > LARGEST:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path.name} has more than {LARGEST} bytes.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path.name} is not text in UTF-8.") from error


def _is_text(name: str) -> bool:
    """Whether it is more than bytes: names of files may be in any encoding."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _sections(text: str) -> Iterator[tuple[str, list[Line]]]:
    """Headings and the lines from each to the next; a heading that has nothing below it still counts."""
    heading, lines, fence = "", list[Line](), ""
    # Not splitlines: it also splits at form feeds and Unicode separators, which editors do not count as line ends.
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
