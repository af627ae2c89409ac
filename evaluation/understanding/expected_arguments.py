"""Allowed values of tool arguments, in the notation at the head of `reflex_sentences.tsv`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

TOLERANCES = {"deg": 1.0, "mm": 1.0, "m": 0.01, "s": 0.25}
"""How far from a number that was said an argument may be, by the unit at the end of its name."""

ROUNDING = 1e-6

_NUMBER = r"-?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER})(?:\.\.({_NUMBER}))?")


@dataclass(frozen=True)
class Span:
    """Numbers from one to another.

    Attributes:
        low: Least, in the argument's unit.
        high: Greatest.
        tolerance: How far beyond them is good enough.
    """

    low: float
    high: float
    tolerance: float

    def admits(self, value: object) -> bool:
        """Whether an argument is such a number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return self.low - self.tolerance <= value <= self.high + self.tolerance

    def examples(self) -> tuple[Any, ...]:
        """Values that the schema must know."""
        return (self.low, self.high)


@dataclass(frozen=True)
class Words:
    """A name, a text, or true or false."""

    text: str

    def admits(self, value: object) -> bool:
        """Whether an argument says the same."""
        return _plain(str(value)) == _plain(self.text)

    def examples(self) -> tuple[Any, ...]:
        """Values that the schema must know."""
        return ({"true": True, "false": False}.get(self.text, self.text),)


def alternatives(name: str, text: str) -> tuple[Span | Words, ...] | None:
    """Returns the allowed value of an argument by the notation; None if any value is allowed."""
    return None if text == "*" else tuple(_value(name, part) for part in text.split("/"))


def _value(name: str, text: str) -> Span | Words:
    match = _RANGE.fullmatch(text)
    if match is None:
        return Words(text)
    low, high = match.groups()
    if high is None:
        return Span(float(low), float(low), TOLERANCES.get(name.rpartition("_")[2], ROUNDING))
    return Span(float(low), float(high), ROUNDING)


def _plain(text: str) -> list[str]:
    words = re.findall(r"[\w']+", text.lower().replace("_", " "))
    return words[1:] if len(words) > 1 and words[0] in ("the", "a", "an", "my", "your") else words
