"""Phrases that people say, and the plain commands that they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NOTHING = "none"
"""Stands where a plain command would, for what is not to be obeyed."""

_FILE = Path(__file__).with_name("exemplars.txt")


@dataclass(frozen=True)
class Exemplar:
    """One phrase.

    Attributes:
        phrase: As somebody says it.
        plain: A command the rules know, with slots in braces, or `NOTHING`.
    """

    phrase: str
    plain: str


@cache
def exemplars() -> tuple[Exemplar, ...]:
    """All that come with the robot."""
    return tuple(_read(_FILE.read_text(encoding="utf-8").splitlines()))


def _read(lines: list[str]) -> Iterator[Exemplar]:
    plain = NOTHING
    for line in filter(None, map(str.strip, lines)):
        if line.startswith("["):
            plain = line.strip("[]")
        elif not line.startswith("#"):
            yield Exemplar(line, plain)
