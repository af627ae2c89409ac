"""Known phrases of commands in English, each with a plain command of the same meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NOTHING = "none"
"""Class of phrases that are not commands."""

_EXEMPLAR_FILE = Path(__file__).with_name("exemplars.txt")


@dataclass(frozen=True)
class Exemplar:
    """Phrase with its meaning.

    Attributes:
        phrase: Phrase as a person says it.
        plain: Command that the rules know, with slots in braces, or `NOTHING`.
    """

    phrase: str
    plain: str


@cache
def exemplars() -> tuple[Exemplar, ...]:
    """Loads all exemplars of the package."""
    return tuple(_read(_EXEMPLAR_FILE.read_text(encoding="utf-8").splitlines()))


def _read(lines: list[str]) -> Iterator[Exemplar]:
    plain = NOTHING
    for line in filter(None, map(str.strip, lines)):
        if line.startswith("["):
            plain = line.strip("[]")
        elif not line.startswith("#"):
            yield Exemplar(line, plain)
