"""Correction of typing errors in time words, as in "tomorow at nine"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reachy_agent_ros.nlu.tokens import Token

_SHORTEST = 6
"""Minimum length of a word whose errors are corrected. Shorter words resemble too many others."""

_STEM = 5
"""Letters that the forms of one word share: "minute" and "minutes"."""


class TimeSpelling:
    """Spelling checker for the time words of a language.

    Args:
        words: The words.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(words)
        self._by_key: dict[str, set[str]] = {}
        for word in self._words:
            for key in _keys(word) if len(word) >= _SHORTEST else ():
                self._by_key.setdefault(key, set()).add(word)

    def knows(self, word: str) -> bool:
        """Returns whether a word is a time word."""
        return word in self._words

    def corrected(self, found: Sequence[Token]) -> tuple[list[Token], set[int]]:
        """Corrects unknown words that differ from exactly one time word by one letter, or by two swapped letters.

        Args:
            found: Tokens of a sentence.

        Returns:
            The tokens, and the indices of the corrected ones.
        """
        result = [self._respelled(token) for token in found]
        return result, {index for index, token in enumerate(found) if token.text != result[index].text}

    def _respelled(self, token: Token) -> Token:
        is_word = token.number is None and token.ordinal is None and token.text.isalpha()
        if not is_word or token.text in self._words:
            return token
        sharing = {word for key in _keys(token.text) for word in self._by_key.get(key, ())}
        alike = sorted(word for word in sharing if _is_close(token.text, word))
        is_one_word = len({word[:_STEM] for word in alike}) == 1
        return replace(token, text=alike[-1]) if is_one_word else token


def _keys(word: str) -> Iterator[str]:
    """Yields a word and its variants with one letter removed. Words that differ by one letter share a key."""
    yield word
    yield from (word[:index] + word[index + 1 :] for index in range(len(word)))


def _is_close(word: str, known: str) -> bool:
    """Returns whether two words that share a key differ only by one letter or by two swapped letters."""
    if len(word) != len(known):
        return True
    places = [index for index, pair in enumerate(zip(word, known, strict=True)) if pair[0] != pair[1]]
    if len(places) == 2:
        first, second = places
        return word[first] + word[second] == known[second] + known[first]
    return len(places) == 1
