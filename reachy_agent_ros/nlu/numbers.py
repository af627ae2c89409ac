"""English number words."""

from __future__ import annotations

from collections.abc import Sequence

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
        joined = taken + (_word(words, start + 2) == "and") if taken else 0
        return 100.0 * _UNITS.get(first, 1) + rest, 2 + joined
    return _below_hundred(words, start)


def _below_hundred(words: Sequence[str], start: int) -> tuple[float, int]:
    first, second = _word(words, start), _word(words, start + 1)
    if first in _TENS:
        unit = _UNITS.get(second, 0)
        return (float(_TENS[first] + unit), 2) if 0 < unit < 10 else (float(_TENS[first]), 1)
    return (float(_UNITS[first]), 1) if first in _UNITS else (0.0, 0)


def _word(words: Sequence[str], index: int) -> str:
    return words[index] if index < len(words) else ""
