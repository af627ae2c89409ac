"""Parser for numbers in sentences of six languages, in words or digits.

The library text2num reads number words. The file `languages/CODE/numbers.yaml` adds what the library lacks: signs,
fractions, spellings without accents, and words such as "one" that are numbers only in some places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from text_to_num import find_numbers

from reachy_agent_ros.nlu.number_words import NumberWords, number_words
from reachy_agent_ros.nlu.tokens import Token, joined, split

_MOST_DIGITS = 15
"""Maximum number of digits; a float with more is not exact."""

_SIMPLE_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "1/2": 0.5, "1/4": 0.25, "3/4": 0.75}


def with_digits(text: str, language: str) -> str:
    """Rewrites the numbers in a sentence as digits, and normalizes the spelling of degrees and percent.

    Args:
        text: Sentence as spoken or typed.
        language: ISO 639-1 code of a folder in `languages`.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the number words of the language cannot be read.
    """
    result, end = "", 0
    for token in tokens(text, language):
        piece = text[token.start : token.end] if token.spelling is None else token.spelling
        gap = text[end : token.start]
        is_word_after_number = result[-1:].isdigit() and piece[0].isalpha()
        result += (" " if is_word_after_number and not gap else gap) + piece
        end = token.end
    return result + text[end:]


def tokens(text: str, language: str) -> list[Token]:
    """Splits a sentence into words, numbers and marks.

    A word such as "one" always has a `number`, but has a `spelling` in digits only where it means a number.

    Raises:
        AgentError: As for `with_digits`.
    """
    words = number_words(language)
    # A lone surrogate is valid in a Python string, but makes text2num panic. A mark of the same length takes its place.
    valid = text.encode("utf-8", "replace").decode()
    found = _with_phrases([_digits(token, words) for token in split(valid)], words)
    found = _with_number_words(found, language, words)
    found = _with_signs(_with_fractions(found, words), words)
    return [_spelled(found, index, words) for index in range(len(found))]


def _digits(token: Token, words: NumberWords) -> Token:
    """Parses a number in digits, with the language's decimal and thousands separators: "1,000" in English."""
    if token.text in _SIMPLE_FRACTIONS:
        return replace(token, number=_SIMPLE_FRACTIONS[token.text])
    text = token.text
    whole, *groups = text.split("," if words.decimal == "." else ".")
    if whole and groups and all(len(group) == 3 for group in groups):
        text = whole + "".join(groups)
    text = text.replace(",", ".")
    if len(text) > _MOST_DIGITS or not text.replace(".", "", 1).isdecimal():
        return token
    return replace(token, number=float(text))


def _with_phrases(found: Sequence[Token], words: NumberWords) -> list[Token]:
    """Merges each phrase into one token if the phrase is a number or a unit, or can never be a number."""
    result: list[Token] = []
    index = 0
    while index < len(found):
        match = words.phrases.longest(found, index)
        if match is None:
            result.append(found[index])
            index += 1
            continue
        end, phrase = match
        result.append(replace(joined(found[index:end]), number=phrase.number, spelling=phrase.unit))
        index = end
    return result


@dataclass(frozen=True)
class _Word:
    """Word in the form that text2num expects.

    Attributes:
        spelling: Standard spelling.
        is_other: Whether the word cannot be part of a number in words.
    """

    spelling: str
    is_other: bool

    def text(self) -> str:
        """Returns the spelling of the word."""
        return self.spelling

    def nt_separated(self, previous: _Word) -> bool:
        """Returns whether a pause separates two words: always False, because pauses are unknown."""
        return False

    def not_a_number_part(self) -> bool:
        """Returns whether the word cannot be part of a number."""
        return self.is_other


def _with_number_words(found: Sequence[Token], language: str, words: NumberWords) -> list[Token]:
    spoken = [_word(found, index, words) for index in range(len(found))]
    result: list[Token] = []
    end = 0
    for number in find_numbers(spoken, language, 0):
        result += (_half(token, language, words) for token in found[end : number.start])
        token = joined(found[number.start : number.end])
        value = {"ordinal": int(number.value)} if number.is_ordinal else {"number": number.value}
        result.append(replace(token, **value))
        end = number.end
    return result + [_half(token, language, words) for token in found[end:]]


def _word(found: Sequence[Token], index: int, words: NumberWords) -> _Word:
    token = found[index]
    article = words.article_table.longest(found, index)
    spelling = words.standard_spelling(token.text) if article is None else article[1]
    is_joined = token.number is not None or token.spelling is not None or " " in token.text
    article_before = any(before.text in words.indefinite for before in found[max(0, index - 3) : index])
    return _Word(spelling, is_joined or (token.text in words.unit_words and article_before))


def _half(token: Token, language: str, words: NumberWords) -> Token:
    """Parses a compound number such as "zweieinhalb"."""
    if words.half_suffix is None or not token.text.endswith(words.half_suffix):
        return token
    whole = _Word(words.standard_spelling(token.text.removesuffix(words.half_suffix)), False)
    numbers = find_numbers([whole], language, 0)
    return replace(token, number=numbers[0].value + 0.5) if numbers else token


def _with_fractions(found: Sequence[Token], words: NumberWords) -> list[Token]:
    """Adds each fraction to the number before it: "2 and a half", "2½"."""
    result: list[Token] = []
    index = 0
    while index < len(found):
        token = found[index]
        index += 1
        if token.number is not None and token.number.is_integer():
            end, value = _fraction(found, index, words)
            token = replace(joined([token, *found[index:end]]), number=token.number + value)
            index = end
        result.append(token)
    return result


def _fraction(found: Sequence[Token], index: int, words: NumberWords) -> tuple[int, float]:
    """Returns the end index and the value of the fraction at `index`. Without a fraction, the value is 0."""
    if index < len(found) and found[index].text in _SIMPLE_FRACTIONS:
        return index + 1, _SIMPLE_FRACTIONS[found[index].text]
    return words.fraction_table.longest(found, index) or (index, 0.0)


def _with_signs(found: Sequence[Token], words: NumberWords) -> list[Token]:
    """Applies signs to numbers. After a number, or a number with its unit, "minus" is an operation, not a sign."""
    result: list[Token] = []
    index = 0
    while index < len(found):
        match = words.sign_table.longest(found, index)
        is_operation = any(token.number is not None for token in result[-2:])
        if match is None or is_operation or match[0] == len(found) or found[match[0]].number is None:
            result.append(found[index])
            index += 1
            continue
        end, sign = match
        number = found[end].number or 0.0
        result.append(replace(joined(found[index : end + 1]), number=sign * number + 0.0))
        index = end + 1
    return result


def _spelled(found: Sequence[Token], index: int, words: NumberWords) -> Token:
    """Sets the standard spelling of a number, and removes the standard spelling of a unit without a number."""
    token = found[index]
    after = found[index + 1] if index + 1 < len(found) else None
    before = found[index - 1] if index > 0 else None
    if token.number is None:
        is_stray_unit = token.spelling is not None and (before is None or before.number is None)
        return replace(token, spelling=None) if is_stray_unit else token
    is_counted = after is not None and (
        after.number is not None or after.spelling is not None or after.text in words.unit_words
    )
    is_listed = before is not None and before.number is not None
    is_alone = not any(other.text[0].isalnum() for other in found if other is not token)
    if token.text in words.ambiguous_words and not (is_counted or is_listed or is_alone):
        return token
    return replace(token, spelling=_in_digits(token))


def _in_digits(token: Token) -> str:
    """Formats a number in digits. Leaves digits with a point unchanged, because "7.30" may be a time."""
    if token.text.replace(".", "", 1).isdecimal() and float(token.text) == token.number:
        return token.text
    return f"{token.number:.6f}".rstrip("0").rstrip(".")
