"""Texts of numbered records. Each text contains the number of its record."""

from __future__ import annotations

import random

_SYLLABLES = ("ka", "lo", "mi", "né", "ru", "ße", "ta", "wo")


def words_of(number: int) -> str:
    """Returns a unique text of 6 to 251 words for a number. Some texts are longer than a page of a file."""
    chance = random.Random(number)
    syllables = range(chance.choice((5, 20, 250)))
    return " ".join([f"n{number}", *("".join(chance.choices(_SYLLABLES, k=3)) for _ in syllables)])


def number_in(words: str) -> int:
    """Returns the record number that a text contains, or -1 if the text contains no number."""
    first = words.partition(" ")[0]
    return int(first[1:]) if first[:1] == "n" and first[1:].isascii() and first[1:].isdecimal() else -1
