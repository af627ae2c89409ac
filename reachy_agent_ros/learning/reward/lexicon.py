"""The words that the reward model knows beforehand: what praises, what blames, and what stands for another word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Lexicon:
    """Words of this project's own choice.

    Attributes:
        valence: -3..3 of a word, lower case: how much it praises.
        glosses: English for emoji, slang and words of other languages.
    """

    valence: Mapping[str, int]
    glosses: Mapping[str, str]


@cache
def lexicon() -> Lexicon:
    """The lexicon in `valence.tsv` and `glosses.tsv`."""
    valence = {word: int(value) for value, words in rows_of("valence.tsv") for word in words.split()}
    glosses = {
        phrase: english for english, phrases in rows_of("glosses.tsv") for phrase in phrases.lower().split(" | ")
    }
    return Lexicon(valence, glosses)


def rows_of(name: str) -> list[tuple[str, str]]:
    """The lines of a file beside this one, as what stands before the tab and after it."""
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    rows = [line.partition("\t") for line in lines if line and not line.startswith("#")]
    return [(first, rest) for first, _, rest in rows]
