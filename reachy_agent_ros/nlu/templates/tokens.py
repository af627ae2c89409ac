"""Tokenizer for text of any language: words without case and accents, with their positions in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from reachy_agent_ros.nlu import numbers
from reachy_agent_ros.nlu.text import Word

_TOKEN = re.compile(
    r"(?<![\w.,])-(?=\d)\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[^\W\d_]+|[\u00b0%]|"
    r"[,;:.!?\n\"\u2026\u201c\u201d\u201e\u00ab\u00bb\u00bf\u00a1\u2013\u2014]"
)
_MINUS = str.maketrans("\u2212", "-")
SPELLED_OUT = {"°": "degrees", "%": "percent"}
_SEPARATED = re.compile(r"['\u2019\u02bc`\u00b4-]")
_REFERENCE = re.compile(r"[{<][^}>]*[}>]")


def tokens_of(text: str, language: str) -> list[Word]:
    """Splits a text into words, numbers in digits, and punctuation marks.

    Apostrophes and hyphens separate words: "l'antenne" and "regarde-moi" have two words each. The signs "°" and "%"
    become "degrees" and "percent".

    Args:
        text: Sentence as spoken or typed.
        language: ISO 639-1 code, for numbers in words.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the number words of the language cannot be read.
    """
    found: list[Word] = []
    end = 0
    for number in numbers.tokens(text, language):
        if number.spelling is not None:
            found += _words(text[end : number.start], end)
            found += [replace(word, start=number.start, end=number.end) for word in _words(number.spelling, 0)]
            end = number.end
    return [*found, *_words(text[end:], end)]


def folded(text: str) -> str:
    """Returns a text in lower case, without accents and with "ss" for "ß"."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in apart if unicodedata.category(character) != "Mn")


def folded_template(template: str) -> str:
    """Normalizes a sentence template as `tokens_of` normalizes sentences. Keeps references to lists and rules."""
    pieces = []
    end = 0
    for match in _REFERENCE.finditer(template):
        pieces += [_SEPARATED.sub(" ", folded(template[end : match.start()])), match.group()]
        end = match.end()
    return "".join([*pieces, _SEPARATED.sub(" ", folded(template[end:]))])


def any_of(phrases: Iterable[str]) -> str:
    """Returns a pattern that matches any of the normalized phrases. Longer phrases take precedence."""
    written = sorted(map(folded_template, phrases), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, written))})" if written else "(?!)"


def _words(text: str, start: int) -> Iterator[Word]:
    """Yields the words in `text`, which is a section of a longer text and begins there at index `start`."""
    for match in _TOKEN.finditer(text.translate(_MINUS)):
        word = _word(match)
        yield replace(word, start=start + word.start, end=start + word.end)


def _word(match: re.Match[str]) -> Word:
    text = SPELLED_OUT.get(match.group(), folded(match.group()))
    return Word(text.replace(",", ".") if text[-1].isdigit() else text, match.start(), match.end())
