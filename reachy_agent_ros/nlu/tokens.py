"""Tokenizer for sentences of any language: words, digits and punctuation marks, with their positions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

_TOKEN = re.compile(
    r"(?<![\w.,])[-\u2212](?=\d)|\d{4}-\d\d-\d\d(?!\d)|(?P<ordinal>\d{1,3})(?:st|nd|rd|th|er|ère|ème|eme|e|te|ter)\b|"
    r"\d+(?:[.,:/]\d+)*|(?<![\w.,])[.,]\d+|(?:[^\W\d_][\u0300-\u036f]*)+'?|\S"
)
"""Sign, date, ordinal number, digits, decimals without a leading zero, word, or mark. An apostrophe ends a word."""

_SHORT = 2
"""Maximum length of words that may differ by accents alone, characters."""

_PLAIN = str.maketrans("\u2018\u2019\u02bc\u2212\u2010\u2011", "'''---")


@dataclass(frozen=True)
class Token:
    """Word, number or punctuation mark of a sentence.

    Attributes:
        text: Characters in lower case without accents. The words of a number are separated by spaces.
        start: Start index in the sentence.
        end: End index in the sentence.
        number: Value, if the token can be a number.
        ordinal: Value, if the token is an ordinal number such as "third".
        spelling: Standard spelling, if the token has one: digits, or a unit after a number.
    """

    text: str
    start: int
    end: int
    number: float | None = None
    ordinal: int | None = None
    spelling: str | None = None


T = TypeVar("T")


class PhraseTable(Generic[T]):
    """Lookup table of phrases and their values, for a search at a position in a sentence.

    Args:
        phrases: Pairs of phrase and value.
    """

    def __init__(self, phrases: Iterable[tuple[str, T]]) -> None:
        self._phrases: dict[str, list[tuple[tuple[str, ...], T]]] = {}
        for phrase, value in sorted(phrases, key=lambda pair: -len(words_of(pair[0]))):
            words = words_of(phrase)
            self._phrases.setdefault(words[0], []).append((words, value))

    def longest(self, tokens: Sequence[Token], start: int) -> tuple[int, T] | None:
        """Returns the end index and the value of the longest phrase at `start`, or None if no phrase matches."""
        if start >= len(tokens):
            return None
        for words, value in self._phrases.get(tokens[start].text, ()):
            end = start + len(words)
            if end <= len(tokens) and all(tokens[start + i].text == word for i, word in enumerate(words)):
                return end, value
        return None


def split(text: str) -> list[Token]:
    """Splits a text into tokens, without interpreting number words (see `numbers.tokens`)."""
    lower = _lower(text.translate(_PLAIN))
    return [
        Token(_folded(match[0]), *match.span(), ordinal=int(match["ordinal"] or 0) or None)
        for match in _TOKEN.finditer(lower)
    ]


def words_of(phrase: str) -> tuple[str, ...]:
    """Splits a phrase into words in the same way as sentences."""
    return tuple(token.text for token in split(phrase))


def joined(parts: Sequence[Token]) -> Token:
    """Merges adjacent tokens into one token, which has the values of the first token."""
    if len(parts) == 1:
        return parts[0]
    return replace(parts[0], text=" ".join(part.text for part in parts), end=parts[-1].end)


def _folded(word: str) -> str:
    """Removes accents, because people often omit them. Keeps accents in short words: the French "a" is not "à"."""
    if word.isascii() or len(word) <= _SHORT:
        return unicodedata.normalize("NFC", word)
    apart = unicodedata.normalize("NFKD", word.replace("ß", "ss"))
    return "".join(character for character in apart if not unicodedata.combining(character))


def _lower(text: str) -> str:
    """Converts a text to lower case without changing its length, to preserve all positions."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)
