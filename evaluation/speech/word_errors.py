"""Word error rate of transcripts, and detection of transcripts that repeat words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module

from evaluation.speech.package_cache import wheels

WHISPERS_OWN = ("whisper-normalizer==0.1.15", "regex==2026.11.15", "more-itertools==11.2.1")
"""Whisper's normalizer for English, which is used for most published word error rates: "10 %" equals "ten percent"."""

MOST_SINGLE = 3
"""Maximum number of consecutive occurrences of a word in speech, as in "no, no, no"."""

Words = Sequence[str]


def words_of(text: str) -> list[str]:
    """Returns the words of a text with normalized case, punctuation and spelling."""
    return _normalizer()(text).split()


def word_error_rate(pairs: Iterable[tuple[Words, Words]]) -> float:
    """Returns the word error rate (%) of pairs of spoken and recognized words."""
    counts = [(distance(said, written), len(said)) for said, written in pairs]
    return 100.0 * sum(errors for errors, _ in counts) / sum(words for _, words in counts)


def distance(said: Words, written: Words) -> int:
    """Returns the Levenshtein distance: the minimum number of words to substitute, delete or insert."""
    row = list(range(len(written) + 1))
    for count, word in enumerate(said, 1):
        diagonal, row[0] = row[0], count
        for column, other in enumerate(written, 1):
            diagonal, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, diagonal + (word != other))
    return row[-1]


def loops(said: Words, written: Words) -> bool:
    """Returns whether the transcript repeats words that the speaker said only once."""
    return _most_repeated(written) > _most_repeated(said)


def _most_repeated(words: Words) -> int:
    """Returns the length of the longest sequence of words that is repeated immediately.

    A single word counts as repeated from its fourth occurrence.
    """
    longest = 0
    for length in range(1, len(words) // 2 + 1):
        times = 1 + MOST_SINGLE if length == 1 else 2
        for start in range(len(words) - times * length + 1):
            block = words[start : start + length]
            if list(words[start : start + times * length]) == list(block) * times:
                longest = length
    return longest


@cache
def _normalizer() -> Callable[[str], str]:
    sys.path.append(str(wheels(*WHISPERS_OWN)))
    normalizer: Callable[[str], str] = import_module("whisper_normalizer.english").EnglishTextNormalizer()
    return normalizer
