"""Interpretation of times of day: on a 12-hour or 24-hour clock, or as a part of the day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from dateutil.tz import resolve_imaginary

from reachy_agent_ros.nlu.times.phrase import ImpossibleTimeError
from reachy_agent_ros.nlu.times.templates import Fields

_HOUR, _HALF_DAY, _DAY = 60, 12 * 60, 24 * 60
"""Durations, minutes."""

USUAL_HOURS = {"am": 9, "pm": 15, "dawn": 5, "morning": 9, "noon": 12, "afternoon": 15, "evening": 19, "night": 21}
"""Hour that is assumed for a part of the day without a time. The robot asks before it uses this hour."""

_FIRST_DAY_HOUR = 5
"""First hour that people name without "in the morning"; earlier ones are more likely after noon."""

_LAST_SHARED_HOUR = 8
"""Last hour that, on another day, is as likely in the evening as in the morning."""


@dataclass(frozen=True)
class Clock:
    """Time of day in a phrase, with all its possible readings.

    Attributes:
        readings: Possible times, minutes since midnight in ascending order; from 1440 on, they are on the next day.
        is_guess: Whether the phrase names only a part of the day.
    """

    readings: tuple[int, ...]
    is_guess: bool = False

    @property
    def hour(self) -> int:
        """Hour of the first reading."""
        return self.readings[0] // _HOUR

    def on_other_day(self, is_twelve_hour: bool) -> tuple[int, bool]:
        """Returns the most likely time on a day other than today, and whether another time is also likely.

        Args:
            is_twelve_hour: Whether speakers of the language rarely use hours above 12.
        """
        if len(self.readings) == 1:
            is_midnight = self.readings[0] == _DAY  # at the end of the day, or at its beginning
            return self.readings[0], self.is_guess or is_midnight
        is_morning = self.hour >= _FIRST_DAY_HOUR
        is_ambiguous = self.hour <= _LAST_SHARED_HOUR if is_morning else self.hour > 0
        return self.readings[0 if is_morning else 1], is_ambiguous and is_twelve_hour == is_morning

    def next(self, now: datetime, only_today: bool) -> tuple[datetime, bool]:
        """Returns the most likely next point in time, and whether another point in time is also likely."""
        days = [now.date() + timedelta(days=offset) for offset in range(1 if only_today else 2)]
        moments = [at(day, reading, now) for day in days for reading in self.readings]
        coming = [moment for moment in moments if moment > now]
        if not coming:
            return moments[-1], True
        if len(self.readings) == 1:
            return coming[0], self.is_guess
        if self.hour >= _FIRST_DAY_HOUR:
            return coming[0], len(coming) > 1
        likely = [moment for moment in coming if moment.hour >= _HALF_DAY // _HOUR] or coming
        return likely[0], likely[0] != coming[0]


def at(day: date, minutes: int, now: datetime) -> datetime:
    """Combines a day and a time in the time zone of `now`. A time that daylight saving time skips becomes a later time.

    Args:
        day: The day.
        minutes: Minutes since midnight, which may be on the next day.
        now: Point in time with a zone.
    """
    day += timedelta(days=minutes // _DAY)
    moment = time(minutes % _DAY // _HOUR, minutes % _HOUR)
    moved: datetime = resolve_imaginary(datetime.combine(day, moment, now.tzinfo))
    return moved


def clock(fields: Fields, part: str | None, is_today: bool) -> Clock:
    """Interprets the clock time of a phrase.

    Args:
        fields: `hour`, `minute` after the hour, minutes `before` it, and `is_24_hour` for 24-hour notation.
        part: Part of the day, one of `USUAL_HOURS`.
        is_today: Whether the phrase is about today.

    Raises:
        ImpossibleTimeError: The time does not exist.
    """
    hour, minute = int(fields["hour"]), int(fields.get("minute", 0)) - int(fields.get("before", 0))
    if hour > 24 or minute >= 60 or (hour == 24 and minute > 0):
        raise ImpossibleTimeError(f"{hour}:{minute:02d} is not a time of day: expected 0:00 to 24:00.")
    minutes = hour * _HOUR + minute
    if hour in (0, 24) or hour > 12 or fields.get("is_24_hour"):
        return Clock((minutes % _DAY if minutes < 0 else minutes,))
    first = minutes % _HALF_DAY
    return Clock((first, first + _HALF_DAY) if part is None else (_in_part(first, part, is_today),))


def usual_clock(part: str) -> Clock:
    """Returns the usual time of a part of the day."""
    return Clock((USUAL_HOURS[part] * _HOUR,), is_guess=True)


def _in_part(first: int, part: str, is_today: bool) -> int:
    """Interprets a 12-hour time as a time in a part of the day. Returns minutes since midnight."""
    hour = first // _HOUR
    if part in ("am", "dawn", "morning") or (part == "noon" and hour >= 10):
        return first
    if part in ("evening", "night") and hour == 0:
        return first + _DAY
    if part == "night" and hour < _FIRST_DAY_HOUR:
        return first + _DAY * is_today
    return first + _HALF_DAY
