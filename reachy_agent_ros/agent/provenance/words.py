"""Words and numbers of a text, used to check whether a call may be derived from the text.

`small_words.txt` lists words without content, such as fillers and question words, in six languages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.plain_letters import plain_letters

_FOLDER = Path(__file__).parent
_WORD = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+")

STEM = 5
"""Length of the stem that forms of a word share: "ingredient" and "ingredients", "spiele" and "spielen"."""

_OPAQUE = re.compile(r"(?<![^\W_])(?=[^\W\d_]*+\d)(?=\d*+[^\W\d_])[^\W_]{16,}+")
"""Pattern of at least 16 mixed letters and digits, which may encode anything unless the person said them. It begins
only where they begin, so the search is linear."""


@dataclass(frozen=True)
class Words:
    """Content words and numbers of a text.

    Attributes:
        stems: Stems of content words.
        numbers: Numbers without signs.
        opaque: Words that may encode something.
    """

    stems: frozenset[str] = frozenset()
    numbers: frozenset[float] = frozenset()
    opaque: frozenset[str] = frozenset()

    def __or__(self, other: Words) -> Words:
        return Words(self.stems | other.stems, self.numbers | other.numbers, self.opaque | other.opaque)

    def __bool__(self) -> bool:
        return bool(self.stems or self.numbers)

    def meets(self, other: Words) -> bool:
        """Returns whether two texts have a content word or number in common."""
        return bool(self.stems & other.stems or self.numbers & other.numbers)


def plain_words(text: str) -> list[str]:
    """Returns all words and numbers of a text in order, converted to plain letters."""
    return _WORD.findall(plain_letters(text))


def words_in(text: str) -> Words:
    """Returns the content words, numbers and opaque words of a text."""
    plain = plain_letters(text)
    found = words_of(_WORD.findall(plain))
    return Words(found.stems, found.numbers, frozenset(_OPAQUE.findall(plain)))


def words_of(words: Iterable[str]) -> Words:
    """Selects the content words and the numbers from a list of words in plain letters."""
    found = list(words)
    numbers = frozenset(float(word.replace(",", ".")) for word in found if word[0].isdigit())
    content = [word for word in found if not word[0].isdigit() and len(word) > 1 and word not in small_words("STOP")]
    return Words(frozenset(word[:STEM] for word in content), numbers)


def texts_in(value: Any) -> list[str]:
    """Returns all strings in an argument at any depth, including keys."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for name, part in value.items() for text in (str(name), *texts_in(part))]
    return [text for part in value for text in texts_in(part)] if isinstance(value, list) else []


def numbers_in(value: Any) -> frozenset[float]:
    """Returns the absolute values of all numbers in an argument, at any depth. Ignores numbers in strings."""
    if isinstance(value, bool):
        return frozenset()
    if isinstance(value, int | float):
        return frozenset((abs(float(value)),))
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return frozenset(number for part in parts for number in numbers_in(part))


def unsaid_digits(value: Any, own: Words) -> int:
    """Returns the number of digits of all numbers in an argument that the person did not say, also in strings.

    Args:
        value: Value of the argument.
        own: Words of the person.
    """
    words = plain_words(json.dumps(value, ensure_ascii=False))
    unsaid = [word for word in words if not words_of([word]).numbers <= own.numbers]
    return sum(letter.isdigit() for word in unsaid for letter in word)


def derived(value: Any, labeled: Words, own: Words) -> bool:
    """Returns whether an argument may be derived from labeled text.

    This is possible if both share words that the person did not say.

    Opaque words that the person did not say also count, because an encoded secret shares no word with the secret.

    Args:
        value: Value of the argument.
        labeled: Words of all labeled text.
        own: Words of the person.
    """
    said = words_in(" ".join(texts_in(value)))
    rest = Words(said.stems - own.stems, said.numbers - own.numbers)
    return rest.meets(labeled) or bool(said.opaque - own.opaque)


@cache
def small_words(name: str, file: str = "small_words.txt") -> frozenset[str]:
    """Reads the words below one heading of a word list in this folder.

    Args:
        name: Heading in the word list.
        file: Name of the file.
    """
    lines = next(lines for section, lines in sections(file) if section == name)
    return frozenset(" ".join(lines).split())


@cache
def sections(file: str) -> Sequence[tuple[str, list[str]]]:
    """Reads a word list in this folder. Returns the headings with their lines, in order, without comments."""
    found: list[tuple[str, list[str]]] = []
    for line in filter(None, map(str.strip, (_FOLDER / file).read_text(encoding="utf-8").splitlines())):
        if line.startswith("["):
            found.append((line.strip("[]"), []))
        elif not line.startswith("#"):
            found[-1][1].append(line)
    return found
