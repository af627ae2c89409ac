"""Corrects typing errors in command words: "look lft and nodd"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from functools import cache

from reachy_agent_ros.nlu.classifier import exemplars
from reachy_agent_ros.nlu.direction import ALIASES
from reachy_agent_ros.nlu.text import words_of

LEAST_ALIKE = 0.75
"""Minimum similarity in spelling for an unknown word to count as a known one, 0..1."""

SHORTEST = 3
"""Minimum length of a word that may be misspelled, characters."""

_LEAST_USED = 3
"""Minimum number of exemplars that contain a command word. Misspelled words are not corrected to rarer ones."""


def respelled(text: str, is_word: Callable[[str], bool]) -> str | None:
    """Returns a text with its unknown words replaced by command words with a similar spelling.

    Args:
        text: Sentence.
        is_word: Returns whether a word in lower case is an English word.

    Returns:
        The corrected sentence; None if all words are known, or an unknown word resembles no command word.
    """
    unknown = [
        word
        for word in words_of(text)
        if word.text.isalpha() and word.text not in _command_words() and not is_word(word.text)
    ]
    for word in reversed(unknown):
        meant = _closest(word.text)
        if meant is None:
            return None
        text = text[: word.start] + meant + text[word.end :]
    return text if unknown else None


def spelling_likeness(text: str, other: str) -> float:
    """Returns the similarity of two spellings, 0..1."""
    return SequenceMatcher(None, text.lower(), other.lower(), autojunk=False).ratio()


def _closest(word: str) -> str | None:
    """Returns the command word with the most similar spelling, or the most frequent of several equally similar ones."""
    alike = {
        known: (likeness, count)
        for known, count in _command_words().items()
        if len(word) >= SHORTEST <= len(known)
        and known[0] == word[0]
        and (likeness := spelling_likeness(word, known)) >= LEAST_ALIKE
    }
    return max(alike, key=lambda known: alike[known], default=None)


@cache
def _command_words() -> Mapping[str, int]:
    """Returns the command words, from exemplars and directions, with the number of exemplars that contain each."""
    used = Counter(word for exemplar in exemplars() for word in set(exemplar.phrase.split()))
    often = {word: count for word, count in used.items() if count >= _LEAST_USED and word.isalpha()}
    return dict.fromkeys(ALIASES, 0) | often
