"""Small words of six languages, by what they are: fillers, question words, words without content."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def small_words(name: str, file: str = "small_words.txt") -> frozenset[str]:
    """The words of one list of a file of this folder.

    Args:
        name: As the file has it.
        file: Its name.
    """
    lines = next(lines for section, lines in sections(file) if section == name)
    return frozenset(" ".join(lines).split())


@cache
def sections(file: str) -> Sequence[tuple[str, list[str]]]:
    """The lines of a file of this folder under each heading in brackets, without comments, in order."""
    found: list[tuple[str, list[str]]] = []
    for line in filter(None, map(str.strip, (_FOLDER / file).read_text(encoding="utf-8").splitlines())):
        if line.startswith("["):
            found.append((line.strip("[]"), []))
        elif not line.startswith("#"):
            found[-1][1].append(line)
    return found
