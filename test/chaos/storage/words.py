"""Words that tell which record they are of."""

from __future__ import annotations

import random

_SYLLABLES = ("ka", "lo", "mi", "né", "ru", "ße", "ta", "wo")


def words_of(number: int) -> str:
    """Another text for every number, 6 to 251 words of small letters; some are longer than a page of a file is."""
    chance = random.Random(number)
    syllables = range(chance.choice((5, 20, 250)))
    return " ".join([f"n{number}", *("".join(chance.choices(_SYLLABLES, k=3)) for _ in syllables)])


def number_in(words: str) -> int:
    """The number that words say they are of; -1 where they say none."""
    first = words.partition(" ")[0]
    return int(first[1:]) if first[:1] == "n" and first[1:].isascii() and first[1:].isdecimal() else -1
