"""Text files in the memory, divided into passages. Each passage is cited by file, heading and lines.

`Documents` are files that a person adds for searching; notes also use `update_from_file`.
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
"""Maximum size of a file, bytes: about 2,500 passages, which take half a minute to embed."""

LONGEST = 800
"""Maximum length of a passage, characters: about 256 tokens, the input limit of the embedder."""

_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*)")
_FENCE = re.compile(r" {0,3}(```|~~~)")

Line = tuple[int, str]


class Documents:
    """Text and Markdown files that a person has added to the memory.

    Args:
        memory: Memory that holds the passages.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def add(self, path: Path) -> bool:
        """Adds a file to the memory, or updates its passages if the file has changed.

        Returns:
            Whether the file was new or had changed.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the file is not text, is too large, or is unreadable; `STORAGE_FAILED`.
        """
        path = path.expanduser().absolute()
        known = self._memory.files(EntryKind.DOCUMENT).get(str(path))
        return update_from_file(self._memory, EntryKind.DOCUMENT, str(path), path, known)

    def listed(self) -> list[Path]:
        """Returns the paths of the files in the memory, sorted.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return sorted(map(Path, self._memory.files(EntryKind.DOCUMENT)))

    def forget(self, path: Path) -> Forgotten:
        """Removes a file's passages from the memory. The file itself remains.

        Raises:
            AgentError: `NOT_FOUND`: the file is not in the memory; `STORAGE_FAILED`.
        """
        key = str(path.expanduser().absolute())
        if key not in self._memory.files(EntryKind.DOCUMENT):
            raise AgentError(ErrorCode.NOT_FOUND, f"{key} is not a document in the memory.")
        return self._memory.forget_file(EntryKind.DOCUMENT, key)


def update_from_file(memory: Memory, kind: EntryKind, key: str, path: Path, known: Fingerprint | None) -> bool:
    """Updates the passages in the memory if the file has changed.

    Args:
        memory: Memory that holds the passages.
        kind: `NOTE` or `DOCUMENT`.
        key: Name of the file in the memory and in citations.
        path: Path of the file.
        known: Fingerprint from `memory.files`, which callers read once per folder; None if not in the memory.

    Returns:
        Whether the content had changed.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file is not text, is too large, or is unreadable; `STORAGE_FAILED`.
    """
    if not _is_text(key):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid file name {key!r}: expected UTF-8. Rename the file.")
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
    """Passage of a text, with its heading and line numbers.

    Attributes:
        heading: Last heading at or above the passage, without its marks; empty if there is none.
        first: Number of the first line, counted from 1.
        last: Number of the last line.
        text: Lines of the passage, without blank lines.
    """

    heading: str
    first: int
    last: int
    text: str

    @property
    def place(self) -> str:
        """Heading and line numbers as text, for citations."""
        lines = f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"
        return f"{self.heading}, {lines}" if self.heading else lines


def passages(text: str) -> list[Passage]:
    """Splits a text at Markdown headings, then at paragraphs, into passages of at most 800 characters.

    A longer line is split into parts with the same line number.
    """
    return [
        Passage(heading, part[0][0], part[-1][0], "\n".join(line for _, line in part).strip())
        for heading, lines in _sections(text)
        for part in _parts(lines)
        if any(line.strip() for _, line in part)
    ]


def _content(path: Path) -> str:
    if path.suffix.lower() not in SUFFIXES:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid file {path.name}: expected {', '.join(SUFFIXES)}.")
    content = read_inside(path.parent, path, LARGEST)  # a symbolic link that replaced the file is not followed
    if len(content) > LARGEST:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path.name} is too large: expected at most {LARGEST} bytes.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path.name} is not UTF-8 text.") from error


def _is_text(name: str) -> bool:
    """Returns whether a file name is valid Unicode. Linux also allows other bytes in file names."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _sections(text: str) -> Iterator[tuple[str, list[Line]]]:
    """Yields each heading with the lines up to the next heading, including headings without text."""
    heading, lines, fence = "", list[Line](), ""
    # Not splitlines, which also splits at form feeds and Unicode separators: editors do not count these as line ends.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        mark = _FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        found = None if fence else _HEADING.match(line)
        if found:
            yield heading, lines
            heading, lines = found[1].rstrip().rstrip("#").rstrip(), []
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
    """Yields groups of lines that end at a blank line or at the maximum length of a passage."""
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
