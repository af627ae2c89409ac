"""Conversion of recurrences in phrases to RRULEs (RFC 5545)."""

from __future__ import annotations

from calendar import monthrange
from datetime import datetime, timedelta

from dateutil.rrule import rrulestr

from reachy_agent_ros.nlu.times.days import WEEKDAYS
from reachy_agent_ros.nlu.times.phrase import ImpossibleTimeError
from reachy_agent_ros.nlu.times.templates import Fields

_LEAP_YEAR = 2024

_SECONDS = (("HOURLY", 3600), ("MINUTELY", 60), ("SECONDLY", 1))
"""Frequencies higher than daily, with their periods, s."""


def rrule_of(fields: Fields) -> str:
    """Returns the RRULE of a recurrence, without a time of day.

    Args:
        fields: Period as `seconds`, `days` or `months`; `weekday`, the range `first` to `last`, or all days `except`
            some; `nth` weekday of the month; `day` and `month`.

    Raises:
        ImpossibleTimeError: The day does not exist, or the period is not a positive number of whole seconds.
    """
    by_day = ",".join(_weekdays(fields))
    if "nth" in fields and by_day:
        return f"FREQ=MONTHLY;BYDAY={int(fields['nth'])}{by_day}"
    if by_day:
        return f"FREQ=WEEKLY{_interval(float(fields.get('days', 7)) / 7)};BYDAY={by_day}"
    if "day" in fields and int(fields["day"]) > monthrange(_LEAP_YEAR, int(fields.get("month", 1)))[1]:
        raise ImpossibleTimeError(f"The month has no day {int(fields['day'])}.")
    if "month" in fields:
        return f"FREQ=YEARLY;BYMONTH={int(fields['month'])};BYMONTHDAY={int(fields.get('day', 1))}"
    if "day" in fields:
        return f"FREQ=MONTHLY{_interval(float(fields.get('months', 1)))};BYMONTHDAY={int(fields['day'])}"
    return _period(fields)


def _weekdays(fields: Fields) -> list[str]:
    if "first" in fields:
        first, last = WEEKDAYS.index(str(fields["first"])), WEEKDAYS.index(str(fields["last"]))
        return [WEEKDAYS[number % 7] for number in range(first, last + 1 + 7 * (last < first))]
    if "except" in fields:
        return [day for day in WEEKDAYS if day not in str(fields["except"]).split(",")]
    named = str(fields["weekday"]).split(",") if "weekday" in fields else []
    return sorted(set(named), key=WEEKDAYS.index)


def _period(fields: Fields) -> str:
    months, days, seconds = (float(fields.get(name, 0)) for name in ("months", "days", "seconds"))
    if months:
        return f"FREQ=YEARLY{_interval(months / 12)}" if months % 12 == 0 else f"FREQ=MONTHLY{_interval(months)}"
    if days and not seconds:
        return f"FREQ=WEEKLY{_interval(days / 7)}" if days % 7 == 0 else f"FREQ=DAILY{_interval(days)}"
    seconds += 86400 * days
    for name, period in _SECONDS:
        if seconds and seconds % period == 0:
            return f"FREQ={name}{_interval(seconds / period)}"
    raise ImpossibleTimeError(f"A period of {seconds:g} s cannot recur: expected whole seconds, at least 1.")


def _interval(number: float) -> str:
    return "" if number <= 1 else f";INTERVAL={int(number)}"


def first_occurrence(rrule: str, day_start: datetime, now: datetime) -> datetime:
    """Returns the first occurrence of a recurrence after `now`.

    Args:
        rrule: Recurrence.
        day_start: Time of the recurrence, on the day of `now`.
        now: Point in time with a zone.

    Raises:
        ImpossibleTimeError: The recurrence never occurs.
    """
    parts = [part for part in rrule.split(";") if not part.startswith("INTERVAL")]
    if len(parts) == 1:  # a plain period begins at the next such time of day
        return day_start if day_start > now else day_start + timedelta(days=1)
    wall = rrulestr(";".join(parts), dtstart=day_start.replace(tzinfo=None))
    first: datetime | None = wall.after(now.replace(tzinfo=None))
    if first is None:
        raise ImpossibleTimeError(f"{rrule} never occurs.")
    return first.replace(tzinfo=now.tzinfo)
