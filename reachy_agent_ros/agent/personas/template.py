"""Instruction templates, with placeholders for values and for shared files.

The syntax is a subset of Python's format strings: `{owner}` is replaced by a value, `{include:common/character.md}` by
the text of a file, and `{{` and `}}` by braces. Templates contain no code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.agent.terminal_text import plain
from reachy_agent_ros.core.contained_file import read_text
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LARGEST = 20_000
"""Maximum size of instructions with included files, bytes: 5,000 tokens, or half a minute for a small model."""

LONGEST_VALUE = 200
"""Maximum length of a value, characters."""

DEEPEST = 8
"""Maximum number of nested files, with the template itself."""

_BRACES = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|[{}]")
_VALUE = re.compile(r"[a-z][a-z0-9_]*")
# No part begins with a dot, so that no path leads out of its folder.
_PIECE = re.compile(r"include:([A-Za-z0-9][A-Za-z0-9_-]*(?:/[A-Za-z0-9][A-Za-z0-9_.-]*)*\.md)")


@dataclass(frozen=True)
class Value:
    """Placeholder in a template, to be replaced by a value.

    Attributes:
        name: Name of the value.
        place: File and line, for errors.
    """

    name: str
    place: str


@dataclass(frozen=True)
class Template:
    """Instruction template whose included files have been read.

    Attributes:
        parts: Texts and placeholders, in order.
    """

    parts: tuple[str | Value, ...]

    def expand(self, values: Mapping[str, str]) -> str:
        """Returns the text with values inserted. Equal values always yield byte-identical text.

        Args:
            values: Values by name. Each is limited to one line of 200 characters, in which braces have no meaning.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: a value is missing. The message names the file and line.
        """
        return "".join(part if isinstance(part, str) else _value(part, values) for part in self.parts).strip()


def read_template(path: Path, folders: Sequence[Path], shipped: Path | None = None) -> Template:
    """Reads a template and its included files.

    Args:
        path: Path of the template.
        folders: Folders that are searched for included files, in order.
        shipped: Folder that is part of the program and may contain links. Links elsewhere are rejected, because the
            persona of a stranger could read any file through a link.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a file is invalid. The message names the file and, for an invalid placeholder,
            the line.
    """
    parts = tuple(_Reader(folders, shipped).parts(path, ()))
    return Template(parts)


class _Reader:
    def __init__(self, folders: Sequence[Path], shipped: Path | None) -> None:
        self._folders = folders
        self._shipped = shipped
        self._room = LARGEST

    def parts(self, path: Path, within: tuple[Path, ...]) -> Iterator[str | Value]:
        text = read_text(path, LARGEST, self._root(path)).rstrip()
        self._room -= len(text.encode())
        if self._room < 0:
            message = f"{(*within, path)[0]} has more than {LARGEST} bytes with its included files."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        end = 0
        for found in _BRACES.finditer(text):
            yield text[end : found.start()]
            end = found.end()
            yield from self._meaning(found, f"{path}:{text.count(chr(10), 0, found.start()) + 1}", (*within, path))
        yield text[end:]

    def _meaning(self, found: re.Match[str], place: str, within: tuple[Path, ...]) -> Iterator[str | Value]:
        written, inside = found[0], found[1] or ""
        if written in ("{{", "}}"):
            yield written[0]
        elif _VALUE.fullmatch(inside):
            yield Value(inside, place)
        elif piece := _PIECE.fullmatch(inside):
            yield from self.parts(self._find(piece[1], place, within), within)
        elif len(written) == 1:
            raise _wrong(place, f"a single {written} is invalid; write a literal brace twice")
        else:
            raise _wrong(place, f"{written:.80} is neither a value such as {{owner}} nor {{include:FOLDER/FILE.md}}")

    def _root(self, path: Path) -> Path | None:
        if self._shipped is not None and path.is_relative_to(self._shipped):
            return None
        return next((folder for folder in self._folders if path.is_relative_to(folder)), path.parent)

    def _find(self, name: str, place: str, within: tuple[Path, ...]) -> Path:
        # Unlike `Path.exists`, `lexists` treats a name that is too long for the file system as missing.
        path = next((folder / name for folder in self._folders if os.path.lexists(folder / name)), None)
        if path is None:
            raise _wrong(place, f"there is no {name} to include in {' or '.join(map(str, self._folders))}")
        if path in within:
            raise _wrong(place, f"{name} would include itself")
        if len(within) >= DEEPEST:
            raise _wrong(place, f"{name} is nested too deeply: at most {DEEPEST} files, with the first one")
        return path


def _value(wanted: Value, values: Mapping[str, str]) -> str:
    if wanted.name not in values:
        known = ", ".join(sorted(values)) or "none"
        raise _wrong(wanted.place, f"there is no value {{{wanted.name}}}; available: {known}")
    return plain(values[wanted.name])[:LONGEST_VALUE]


def _wrong(place: str, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"{place}: {complaint}.")
