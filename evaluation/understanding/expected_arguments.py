"""Accepted values of tool arguments, in the notation that `reflex_sentences.tsv` explains in its first lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

TOLERANCES = {"deg": 1.0, "mm": 1.0, "m": 0.01, "s": 0.25}
"""Tolerance of an argument relative to the spoken number, by the unit at the end of its name."""

ROUNDING = 1e-6

_NUMBER = r"-?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER})(?:\.\.({_NUMBER}))?")


@dataclass(frozen=True)
class Span:
    """Range of accepted numbers for an argument.

    Attributes:
        low: Lower bound, in the unit of the argument.
        high: Upper bound, in the unit of the argument.
        tolerance: Accepted distance beyond the bounds.
    """

    low: float
    high: float
    tolerance: float

    def admits(self, value: object) -> bool:
        """Returns whether an argument is a number within the accepted range."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return self.low - self.tolerance <= value <= self.high + self.tolerance

    def examples(self) -> tuple[Any, ...]:
        """Returns example values, which the schema of the tool must accept."""
        return (self.low, self.high)


@dataclass(frozen=True)
class Words:
    """Accepted name, text or boolean value of an argument."""

    text: str

    def admits(self, value: object) -> bool:
        """Returns whether an argument has the accepted value."""
        return _plain(str(value)) == _plain(self.text)

    def examples(self) -> tuple[Any, ...]:
        """Returns example values, which the schema of the tool must accept."""
        return ({"true": True, "false": False}.get(self.text, self.text),)


def alternatives(name: str, text: str) -> tuple[Span | Words, ...] | None:
    """Parses the accepted values of an argument. Returns None if any value is accepted."""
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
