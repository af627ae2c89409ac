"""English text as plain words: tokens with their place in the original, contractions written out, numbers in digits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?<![\w.])-(?=\d)|\d+(?:\.\d+)?|[^\W\d_]+(?:'[^\W\d_]+)*|°|[,;.!?\"\u201c\u201d\u2026\u2013\u2014]"
)

_PLAIN = {"\u2018": "'", "\u2019": "'", "\u2212": "-"}

_CONTRACTIONS = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "let's": "let us",
    "gimme": "give me",
    "wanna": "want to",
    "gonna": "going to",
    "°": "degrees",
    "deg": "degrees",
    "degree": "degrees",
    "centre": "center",
    "picture's": "picture is",
}

_ENDINGS = (("n't", "not"), ("'re", "are"), ("'ll", "will"), ("'ve", "have"), ("'d", "would"), ("'m", "am"))


@dataclass(frozen=True)
class Word:
    """One word.

    Attributes:
        text: Lower case; a number in digits, a punctuation mark as it is.
        start: Where it begins in the original text.
        end: Where it ends there.
    """

    text: str
    start: int
    end: int

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation."""
        return not (self.text[0].isalnum() or self.text[0] == "-")


def words_of(text: str) -> list[Word]:
    """Splits a text, writes out contractions and turns number words into digits; offsets are those of `text`."""
    found = [word for match in _TOKEN.finditer(_folded(text)) for word in _spelled_out(match)]
    return _with_numbers(found)


def joined(words: Iterable[Word]) -> str:
    """The words with single blanks between."""
    return " ".join(word.text for word in words)


def _folded(text: str) -> str:
    """Lower case with plain apostrophes; every character keeps its place, which `str.lower` alone does not promise."""
    return "".join(map(_folded_character, text))


def _folded_character(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character).lower()
    plain = _PLAIN.get(plain, plain)
    return plain if len(plain) == 1 else character


def _spelled_out(match: re.Match[str]) -> Iterator[Word]:
    token = match.group()
    expanded = _CONTRACTIONS.get(token, token)
    for ending, full in _ENDINGS:
        if expanded.endswith(ending) and expanded != ending:
            expanded = f"{expanded.removesuffix(ending)} {full}"
    if expanded.endswith("'s"):
        expanded = expanded.removesuffix("'s") + " is"
    for part in expanded.split():
        yield Word(part, match.start(), match.end())


def _with_numbers(words: list[Word]) -> list[Word]:
    texts = [word.text for word in words]
    result: list[Word] = []
    index = 0
    while index < len(words):
        negative = texts[index] in ("-", "minus", "negative")
        plus = texts[index] == "plus" and (not result or not result[-1].text[-1].isdigit())
        number = read_number(texts, index + (negative or plus))
        if number is None:
            result.append(words[index])
            index += 1
            continue
        value, taken = number
        last = index + (negative or plus) + taken
        result.append(Word(f"{'-' if negative else ''}{value:g}", words[index].start, words[last - 1].end))
        index = last
    return [word for word in result if word.text != "-"]


_UP_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_FROM_TWENTY = "twenty thirty forty fifty sixty seventy eighty ninety"

_UNITS = {word: value for value, word in enumerate(_UP_TO_NINETEEN.split())}
_TENS = {word: 10 * value for value, word in enumerate(_FROM_TWENTY.split(), start=2)}
_TENS["fourty"] = 40  # speech recognisers and people write it so


def read_number(words: Sequence[str], start: int) -> tuple[float, int] | None:
    """Reads the number that begins at `words[start]`, in digits or words, up to 999.

    Args:
        words: Lower-case words.
        start: Index into `words`.

    Returns:
        Its value and how many words it takes, or None if there is no number.
    """
    value, taken = _hundreds(words, start)
    if taken == 0:
        return None
    after = start + taken
    if list(words[after : after + 3]) == ["and", "a", "half"]:
        return value + 0.5, taken + 3
    if _word(words, after) == "point" and _word(words, after + 1) in _UNITS:
        return value + _UNITS[words[after + 1]] / 10.0, taken + 2
    return value, taken


def _hundreds(words: Sequence[str], start: int) -> tuple[float, int]:
    first = _word(words, start)
    if first.replace(".", "", 1).isdecimal():
        return float(first), 1
    if _word(words, start + 1) == "hundred" and (first == "a" or 0 < _UNITS.get(first, 0) < 10):
        rest, taken = _below_hundred(words, start + 2 + (_word(words, start + 2) == "and"))
        extra = taken + (_word(words, start + 2) == "and") if taken else 0
        return 100.0 * _UNITS.get(first, 1) + rest, 2 + extra
    return _below_hundred(words, start)


def _below_hundred(words: Sequence[str], start: int) -> tuple[float, int]:
    first, second = _word(words, start), _word(words, start + 1)
    if first in _TENS:
        unit = _UNITS.get(second, 0)
        return (float(_TENS[first] + unit), 2) if 0 < unit < 10 else (float(_TENS[first]), 1)
    return (float(_UNITS[first]), 1) if first in _UNITS else (0.0, 0)


def _word(words: Sequence[str], index: int) -> str:
    return words[index] if index < len(words) else ""
