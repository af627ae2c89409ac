"""Normalizes text by converting emoji, slang, foreign words and typing errors to plain English words.

The lexicon files in this folder contain words of praise and blame, and glosses for other words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LONGEST = 600
"""Number of characters used in a long text, half from the start and half from the end: the last clause matters most."""

MARKS = frozenset("?!.,;:")

_LONGEST_PHRASE = 5

_SHORTEST_SLIP = 4
"""Minimum length of a corrected word, letters: shorter words are one letter away from too many other words."""

_WITHOUT_MEANING = re.compile("[\ufe0e\ufe0f\u200b-\u200f\u2060\U0001f3fb-\U0001f3ff]|\u200d[\u2640\u2642]")

_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\d+|[?!.,;:]")

_STRETCHED = re.compile(r"(\w)\1{2,}")

_REPEATED = re.compile(r"([^\w\s!?.,])\1+")

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class FeedbackReading:
    """Normalized utterance.

    Attributes:
        words: Words in lower case, in English if known to the lexicon, and punctuation marks of `MARKS`.
        shouted: Share of capital letters, 0..1; 0 for fewer than three letters.
        stretched: Whether a letter or digit occurs at least three times in a row, as in "yesss".
        foreign: Share of words that were replaced, 0..1.
    """

    words: tuple[str, ...]
    shouted: float
    stretched: bool
    foreign: float

    @property
    def text(self) -> str:
        """Words of the utterance, joined by spaces."""
        return " ".join(self.words)


class FeedbackReader:
    """Normalizes utterances, so that they can be scored as feedback.

    Args:
        is_word: Function that returns whether a lower-case string is an English word.
    """

    def __init__(self, is_word: Callable[[str], bool]) -> None:
        self._is_word = is_word
        known = lexicon()
        symbols = [phrase for phrase in known.glosses if not _is_spaced(phrase)]
        self._symbols = re.compile("|".join(re.escape(one) for one in sorted(symbols, key=len, reverse=True)))
        self._phrases = {tuple(_TOKEN.findall(key)): value for key, value in known.glosses.items() if _is_spaced(key)}
        self._spelling = {shorter: word for word in known.valence for shorter in (word, *_one_letter_less(word))}

    def read(self, text: str) -> FeedbackReading:
        """Normalizes an utterance of any length."""
        if len(text) > LONGEST:
            text = f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}"
        text = _WITHOUT_MEANING.sub("", unicodedata.normalize("NFC", text)).replace("\u2019", "'")
        letters = [letter for letter in text if letter.isalpha()]
        shouted = sum(letter.isupper() for letter in letters) / len(letters) if len(letters) > 2 else 0.0
        lower = text.lower()
        plain = self._symbols.sub(lambda found: f" {lexicon().glosses[found[0]]} ", _REPEATED.sub(r"\1", lower))
        tokens = [self._spelt(token) for token in _TOKEN.findall(plain)]
        words = tuple(self._glossed(tokens))
        changed = len(set(words) - set(_TOKEN.findall(lower))) / max(1, len(words))
        return FeedbackReading(words, shouted, bool(_STRETCHED.search(lower)), changed)

    def _glossed(self, tokens: Sequence[str]) -> Iterator[str]:
        """Replaces phrases with their glosses, from left to right. Prefers the longest matching phrase."""
        place = 0
        while place < len(tokens):
            for length in range(min(_LONGEST_PHRASE, len(tokens) - place), 0, -1):
                english = self._phrases.get(tuple(tokens[place : place + length]))
                if english is not None:
                    yield from english.split()
                    break
            else:
                length = 1
                yield tokens[place]
            place += length

    def _spelt(self, token: str) -> str:
        """Corrects an unknown token that is stretched or differs by one letter from a word of the lexicon."""
        if (token,) in self._phrases or token in lexicon().valence or self._is_word(token) or not token.isalpha():
            return token
        for short in (r"\1\1", r"\1"):
            calm = _STRETCHED.sub(short, token)
            if (calm,) in self._phrases or calm in lexicon().valence or self._is_word(calm):
                return calm
        if len(token) < _SHORTEST_SLIP or not token.isascii():
            return token
        meant = (self._spelling.get(key, "") for key in (token, *_one_letter_less(token)))
        return next((word for word in meant if word[:1] == token[0]), token)


@dataclass(frozen=True)
class Lexicon:
    """Lexicon of words that have a known meaning in feedback.

    Attributes:
        valence: Praise (positive) or blame (negative) that a lower-case word expresses, -3..3.
        glosses: English replacements for emoji, slang and words of other languages.
    """

    valence: Mapping[str, int]
    glosses: Mapping[str, str]


@cache
def lexicon() -> Lexicon:
    """Reads the lexicon from `valence.tsv` and `glosses.tsv`. The result is cached."""
    valence = {word: int(value) for value, words in rows_of("valence.tsv") for word in words.split()}
    glosses = {
        phrase: english for english, phrases in rows_of("glosses.tsv") for phrase in phrases.lower().split(" | ")
    }
    return Lexicon(valence, glosses)


def rows_of(name: str) -> list[tuple[str, str]]:
    """Reads a file in this folder, without comments. Splits each line at the first tab."""
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    rows = [line.partition("\t") for line in lines if line and not line.startswith("#")]
    return [(first, rest) for first, _, rest in rows]


def _is_spaced(phrase: str) -> bool:
    """Returns whether a phrase must match complete words, because its script separates words by spaces."""
    return all(
        unicodedata.name(letter, "").startswith(("LATIN", "CYRILLIC", "GREEK")) for letter in phrase if letter.isalpha()
    ) and any(letter.isalpha() for letter in phrase)


def _one_letter_less(word: str) -> Iterator[str]:
    return (word[:place] + word[place + 1 :] for place in range(len(word)))
