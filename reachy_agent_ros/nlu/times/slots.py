"""Language-independent slots of time templates: numbers, and times and dates in digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from reachy_agent_ros.nlu.times.templates import UNNAMED, Fields, Match, Slot
from reachy_agent_ros.nlu.tokens import PhraseTable, Token

_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})(?::\d{2})?")
_MILITARY = re.compile(r"([01]?\d|2[0-3])([0-5]\d)")
_ISO_DATE = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)")
_DATE = re.compile(r"(?P<first>\d{1,2})([./])(?P<second>\d{1,2})(?:\2(?P<year>\d{4}|\d\d))?")
_FRACTIONS = (0.0, 0.25, 0.5, 0.75)


def list_slot(phrases: Mapping[Any, Sequence[str]]) -> Slot:
    """Creates a slot that matches any of several phrases. Each phrase represents a value."""
    return _phrase_slot((phrase, {UNNAMED: value}) for value, names in phrases.items() for phrase in names)


def weekday_part_slot(weekdays: Mapping[Any, Sequence[str]], endings: Mapping[Any, Sequence[str]]) -> Slot:
    """Creates a slot that matches a weekday and a part of the day in one word."""
    return _phrase_slot(
        (name + ending, {"weekday": weekday, "part": part})
        for weekday, names in weekdays.items()
        for name in names
        for part, all_endings in endings.items()
        for ending in all_endings
    )


def _phrase_slot(phrases: Iterable[tuple[str, Fields]]) -> Slot:
    table = PhraseTable(phrases)

    def find(tokens: Sequence[Token], start: int) -> Iterator[Match]:
        match = table.longest(tokens, start)
        if match is not None:
            yield match

    return find


def _slot(read: Callable[[Token], Fields | None]) -> Slot:
    """Creates a slot that matches a single token."""

    def find(tokens: Sequence[Token], start: int) -> Iterator[Match]:
        fields = read(tokens[start])
        if fields is not None:
            yield start + 1, fields

    return find


def _number(token: Token) -> Fields | None:
    return None if token.number is None or token.number < 0 else {UNNAMED: token.number}


def _integer(low: int, high: int) -> Slot:
    """Creates a slot that matches integers in a range, except words such as "one" that usually mean something else."""

    def read(token: Token) -> Fields | None:
        number = token.number if token.spelling is not None else None
        return {UNNAMED: number} if number is not None and number.is_integer() and low <= number <= high else None

    return _slot(read)


def _ordinal(token: Token) -> Fields | None:
    return None if token.ordinal is None else {UNNAMED: token.ordinal}


def _hour(token: Token) -> Fields | None:
    """Parses an hour. The number 7.5 means half past seven, because "sete e meia" can mean both."""
    number = token.number
    if number is None or not 0 <= number <= 24 or number % 1 not in _FRACTIONS or "." in token.text:
        return None
    return {"hour": number // 1, "minute": number % 1 * 60, **_exact(token.text)}


def _counted_hour(token: Token) -> Fields | None:
    """Parses an hour that can only be a number, such as "one" in "one thirty"."""
    return None if token.spelling is None else _hour(token)


def _late_hour(token: Token) -> Fields | None:
    """Parses an hour above 12, which only exists on a 24-hour clock."""
    return None if token.number is None or token.number <= 12 else _hour(token)


def _clock(token: Token) -> Fields | None:
    match = _CLOCK.fullmatch(token.text)
    return None if match is None else {"hour": int(match[1]), "minute": int(match[2]), **_exact(match[1])}


def _military(token: Token) -> Fields | None:
    """Parses a military time, such as "1800", "0730", "730" or "eighteen hundred"."""
    match = _MILITARY.fullmatch(token.text if token.text.isdecimal() else f"{token.number or 0:.0f}")
    return None if match is None else {"hour": int(match[1]), "minute": int(match[2]), **_exact(match[1])}


def _exact(hour: str) -> Fields:
    """Returns the field `is_24_hour` for hours with a leading zero, such as "07", which imply a 24-hour clock."""
    return {"is_24_hour": 1} if re.fullmatch(r"0\d", hour) else {}


def date_slot(month_first: bool) -> Slot:
    """Creates a slot that matches a date in digits.

    Args:
        month_first: Whether "3/5" is March 5 rather than May 3.
    """

    def read(token: Token) -> Fields | None:
        match = _ISO_DATE.fullmatch(token.text)
        if match is not None:
            return {name: int(value) for name, value in match.groupdict().items()}
        match = _DATE.fullmatch(token.text)
        if match is None:
            return None
        first, second = int(match["first"]), int(match["second"])
        month, day = (first, second) if (month_first and first <= 12) or second > 12 else (second, first)
        year = {} if match["year"] is None else {"year": int(match["year"]) % 2000 + 2000}
        is_unsure = {"is_unsure": 1} if month_first and max(first, second) <= 12 else {}
        return {"month": month, "day": day, **year, **is_unsure}

    return _slot(read)


NUMBER_SLOTS: Mapping[str, Slot] = {
    "number": _slot(_number),
    "minute": _integer(0, 59),
    "day": _integer(1, 99),
    "year": _integer(1970, 2199),
    "ordinal": _slot(_ordinal),
    "hour": _slot(_hour),
    "counted_hour": _slot(_counted_hour),
    "late_hour": _slot(_late_hour),
    "clock": _slot(_clock),
    "military": _slot(_military),
}
"""Slots of numbers by name."""
