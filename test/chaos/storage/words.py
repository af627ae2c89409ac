"""Texts of the records, which contain the number of their record."""

from __future__ import annotations

import random

_SYLLABLES = ("ka", "lo", "mi", "né", "ru", "ße", "ta", "wo")


def words_of(number: int) -> str:
    """Returns a different text of 6 to 251 words for every number. Some texts are longer than a page of a file."""
    chance = random.Random(number)
    syllables = range(chance.choice((5, 20, 250)))
    return " ".join([f"n{number}", *("".join(chance.choices(_SYLLABLES, k=3)) for _ in syllables)])


def number_in(words: str) -> int:
    """Returns the number of the record to which a text belongs; -1 if the text contains no number."""
    first = words.partition(" ")[0]
    return int(first[1:]) if first[:1] == "n" and first[1:].isascii() and first[1:].isdecimal() else -1
