"""Meaning of a time phrase: a duration, a point in time or a recurrence."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class TimeKind(Enum):
    """Kind of a time phrase."""

    DURATION = "duration"
    INSTANT = "instant"
    RECURRENCE = "recurrence"


class ImpossibleTimeError(ValueError):
    """Error for a time that does not exist, such as February 30 or 25:00."""


@dataclass(frozen=True)
class TimePhrase:
    """Meaning of a phrase such as "in ten minutes", "tomorrow at 7:30" or "every weekday at nine".

    Attributes:
        kind: Kind of the phrase.
        start: Start index in the text.
        end: End index in the text.
        duration_s: Duration, or the distance of a relative time such as "in ten minutes", s.
        when: Point in time, or the first occurrence, in the zone of `now`; None for a duration.
        rrule: Recurrence as an RRULE of RFC 5545 that starts at `when`, without its time of day.
        has_clock: Whether the phrase contains a time of day, or a distance implies one. Otherwise, the time of `when`
            is a guess from the part of the day, or midnight.
        is_ambiguous: Whether the robot should ask before it uses `when`, because the phrase has several likely meanings
            ("at 7") or no time of day ("tomorrow").
    """

    kind: TimeKind
    start: int
    end: int
    duration_s: float | None = None
    when: datetime | None = None
    rrule: str | None = None
    has_clock: bool = True
    is_ambiguous: bool = False
