"""Correction of typing and recognition errors to words of the sentence templates: "lniks", "antene", "fermoo"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from reachy_agent_ros.nlu.text import Word

_SHORTEST = 4
"""Minimum length of a misspelled word, characters. Shorter words resemble too many others."""

_REPEATED = re.compile(r"(.)\1+")


class Misspellings:
    """Corrects the words of a sentence that occur in no template.

    Only errors that rarely result in another word are corrected: two swapped letters, a missing letter, repeated
    letters, and a space within a word. An additional or different letter may be another word, as in "Knopf" and "Kopf".

    Args:
        known: Words of the templates.
    """

    def __init__(self, known: Collection[str]) -> None:
        self._known = frozenset(known)
        meant: dict[str, set[str]] = {}
        for word in self._known:
            for variant in _variants(word):
                meant.setdefault(variant, set()).add(word)
        self._meant = {variant: words.pop() for variant, words in meant.items() if len(words) == 1}

    def corrected(self, words: Sequence[Word]) -> list[Word] | None:
        """Corrects misspelled words. Returns None if none is misspelled, or an unknown word resembles no known word."""
        found: list[Word] = []
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if not word.text[0].isalpha() or word.text in self._known:
                found.append(word)
            elif found and found[-1].text + word.text in self._known:
                found[-1] = Word(found[-1].text + word.text, found[-1].start, word.end)
            elif rest and word.text + rest[0].text in self._known:
                found.append(Word(word.text + rest[0].text, word.start, rest.pop(0).end))
            elif (meant := self._closest(word.text)) is not None:
                found.append(replace(word, text=meant))
            else:
                return None
        return None if found == list(words) else found

    def _closest(self, word: str) -> str | None:
        """Returns the only word that a misspelled word resembles, or None."""
        for form in (word, _REPEATED.sub(r"\1", word)):
            if form in self._known:
                return form
            if len(form) >= _SHORTEST and form in self._meant:
                return self._meant[form]
        return None


def _variants(word: str) -> Iterator[str]:
    """Yields the misspellings of a word that are corrected."""
    yield _REPEATED.sub(r"\1", word)
    for index in range(1, len(word)):
        yield word[:index] + word[index + 1 :]
        yield word[: index - 1] + word[index] + word[index - 1] + word[index + 1 :]
