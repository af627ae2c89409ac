"""Correction of typing errors in command words, as in "look lft and nodd"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from functools import cache, lru_cache

from reachy_agent_ros.nlu.direction import ALIASES
from reachy_agent_ros.nlu.exemplars import exemplars
from reachy_agent_ros.nlu.text import words_of

LEAST_ALIKE = 0.75
"""Minimum similarity in spelling for an unknown word to count as a known one, 0..1."""

SHORTEST = 3
"""Minimum length of a word that may be misspelled, characters."""

_LEAST_USED = 3
"""Minimum number of exemplars that contain a command word, unless it is a direction. Misspelled words are not corrected
to rarer ones."""


_TRANSPOSED = 0.95
"""Similarity of words that have the same letters in a different order."""

_OTHERS = (
    "volume louder quieter timer alarm remind reminder remember recall pause resume continue undo read percent degrees "
    "seconds minutes antenna antennas wiggle rotate straight front center track follow surprised happy scared picture "
    "photo dance sleep mins secs minute second"
)
"""Command words that few exemplars contain."""


def respelled(text: str, is_word: Callable[[str], bool], is_common: Callable[[str], bool]) -> str | None:
    """Returns a text with its misspelled words replaced by command words with a similar spelling.

    A rare English word that resembles a command word is replaced too: "lok" more likely means "look".

    Args:
        text: Sentence.
        is_word: Returns whether a word in lower case is an English word.
        is_common: Returns whether it is a common English word, which is never replaced.

    Returns:
        The corrected sentence; None if nothing is misspelled, or an unknown word resembles no command word.
    """
    corrected = text
    for word in reversed(words_of(text)):
        if not word.text.isalpha() or word.text in _command_words() or is_common(word.text):
            continue
        meant = _closest(word.text)
        if meant is not None:
            corrected = corrected[: word.start] + meant + corrected[word.end :]
        elif not is_word(word.text):
            return None
    return None if corrected == text else corrected


def spelling_likeness(text: str, other: str) -> float:
    """Returns the similarity of two spellings, from 0 to 1."""
    return SequenceMatcher(None, text.lower(), other.lower(), autojunk=False).ratio()


@lru_cache(1024)
def _closest(word: str) -> str | None:
    """Returns the command word with the most similar spelling. In a tie, the most frequent word wins."""
    alike = {
        known: (likeness, count)
        for known, count in _command_words().items()
        if len(word) >= SHORTEST <= len(known)
        and known[0] == word[0]
        and (likeness := _likeness(word, known)) >= LEAST_ALIKE
    }
    return max(alike, key=lambda known: alike[known], default=None)


def _likeness(word: str, known: str) -> float:
    """Returns the similarity of two words, from 0 to 1. Transposed letters, as in "lfet", hardly count."""
    return _TRANSPOSED if sorted(word) == sorted(known) else spelling_likeness(word, known)


@cache
def _command_words() -> Mapping[str, int]:
    """Returns all command words (from exemplars and directions), and how many exemplars contain each word."""
    used = Counter(word for exemplar in exemplars() for word in set(exemplar.phrase.split()))
    often = {word: count for word, count in used.items() if count >= _LEAST_USED and word.isalpha()}
    return dict.fromkeys((*ALIASES, *_OTHERS.split()), 0) | often
