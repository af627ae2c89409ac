"""Extraction of modifiers from a clause: angle, amount, duration, speed and repetitions."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from reachy_agent_ros.nlu.clause import NUMBER, Clause, Size
from reachy_agent_ros.nlu.templates.language import Modifiers
from reachy_agent_ros.nlu.templates.tokens import any_of

SLOWLY_S = 3.0
"""Duration of a slow motion, s."""

_SECONDS = (("seconds", 1.0), ("minutes", 60.0), ("hours", 3600.0))
"""Fields of `Modifiers` for units of duration, and the length of each unit, s."""


_REMEMBERED = 512
"""Number of clauses whose modifiers are cached, because each way of reading a sentence looks up the same clauses."""


class ModifierReader:
    """Extracts modifiers from clauses in one language.

    Args:
        modifiers: Phrases of the language.
    """

    def __init__(self, modifiers: Modifiers) -> None:
        number = f"(?:{any_of(modifiers.before_number)} )*({NUMBER})" if modifiers.before_number else f"({NUMBER})"
        self._number = _phrase(number)
        self._degrees = _phrase(f"{number} {any_of([*modifiers.degrees, 'degrees'])}")
        self._durations = [
            (_phrase(f"{number} {any_of(getattr(modifiers, unit))}"), seconds) for unit, seconds in _SECONDS
        ]
        self._times = _phrase(f"{number} {any_of(modifiers.times)}")
        self._counts = [(_phrase(any_of(phrases)), count) for count, phrases in sorted(modifiers.count.items())]
        self._little, self._far = _phrase(any_of(modifiers.little)), _phrase(any_of(modifiers.far))
        self._slowly, self._quickly = _phrase(any_of(modifiers.slowly)), _phrase(any_of(modifiers.quickly))
        self._remembered = lru_cache(_REMEMBERED)(self._read)

    def read(self, text: str) -> Clause:
        """Splits a clause into its modifiers and the remaining text, `core`."""
        return self._remembered(text)

    def _read(self, text: str) -> Clause:
        core, degrees = _extract(text, self._degrees)
        duration = None
        for pattern, seconds in self._durations:
            core, found = _extract(core, pattern)
            if found:
                duration = (duration or 0.0) + float(found) * seconds
        core, repeated = _extract(core, self._times)
        times = int(float(repeated)) if repeated else None
        for pattern, count in self._counts if times is None else ():
            core, found = _extract(core, pattern)
            if found is not None:
                times = count
                break
        core, little = _extract(core, self._little)
        core, far = _extract(core, self._far)
        core, slow = _extract(core, self._slowly)
        core, _quick = _extract(core, self._quickly)
        size = Size.LITTLE if little is not None else Size.FAR if far is not None else Size.NORMAL
        if slow is not None and duration is None:
            duration = SLOWLY_S
        return Clause(text, core, float(degrees) if degrees else None, size, duration, times)

    def with_bare_angle(self, clause: Clause) -> Clause | None:
        """Interprets a number without a unit as an angle: "head left 40". Returns None if there is no such number."""
        if clause.degrees is not None:
            return None
        core, degrees = _extract(clause.core, self._number)
        return None if degrees is None else replace(clause, core=core, degrees=float(degrees))


def _phrase(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|(?<= )){pattern}(?= |$)")


def _extract(text: str, pattern: re.Pattern[str]) -> tuple[str, str | None]:
    """Removes the first match of a pattern. Returns the remaining text, and the match or its last group."""
    match = pattern.search(text)
    if match is None:
        return text, None
    rest = f"{text[: match.start()].strip()} {text[match.end() :].strip()}".strip()
    return rest, match.group(match.lastindex or 0)
