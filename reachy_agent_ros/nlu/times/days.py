"""Interpretation of days in phrases: relative days, weekdays and dates."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta, weekday

from reachy_agent_ros.nlu.times.phrase import ImpossibleTimeError
from reachy_agent_ros.nlu.times.templates import Fields

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""Weekdays as in RRULE."""

_MOST_MONTHS = 12 * 8
"""Maximum number of months until a day of the month exists again: February 29 is up to eight years away."""


def day_of(fields: Fields, today: date) -> tuple[date, bool]:
    """Returns the day that a phrase names, and whether the phrase could mean another day.

    Args:
        fields: Values of the rule `day`: `days` from today; `weekday` with `which`, `weeks` more or `week` of the
            calendar; `day` with `month` and `year`; or the `nth` weekday of a month. `months` counts from the current
            month.
        today: Today.

    Raises:
        ImpossibleTimeError: The date does not exist.
    """
    if "nth" in fields:
        return _coming_month(fields, today, _nth_weekday), False
    if "day" in fields or "month" in fields or "months" in fields:
        return _date(fields, today), bool(fields.get("is_unsure"))
    if "week" in fields:
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=int(fields["week"]))
        return monday + timedelta(days=_weekday(fields)), "weekday" not in fields
    if "weekday" in fields:
        return _coming_weekday(fields, today)
    return today + timedelta(days=int(fields["days"])), False


def _weekday(fields: Fields) -> int:
    return WEEKDAYS.index(str(fields.get("weekday", "MO")).split(",")[0])


def _coming_weekday(fields: Fields, today: date) -> tuple[date, bool]:
    ahead = (_weekday(fields) - today.weekday()) % 7
    which = fields.get("which")
    is_unsure = ahead == (1 if which == "next" else 0)
    ahead = 7 if ahead == 0 and which != "this" else ahead
    weeks = int(fields.get("weeks", 0)) + (which == "after_next")
    return today + timedelta(days=ahead, weeks=weeks), is_unsure


def _date(fields: Fields, today: date) -> date:
    if "year" in fields:
        found = _existing(int(fields["year"]), int(fields["month"]), int(fields["day"]))
        if found is None:
            raise _impossible(fields)
    else:
        found = _coming_month(fields, today, _day_of_month)
    if "weekday" in fields and found.weekday() != _weekday(fields):
        raise ImpossibleTimeError(f"{found.isoformat()} does not fall on the weekday in the phrase.")
    return found


def _coming_month(fields: Fields, today: date, find: Callable[[Fields, date], date | None]) -> date:
    """Returns the first matching day that is not in the past. If a month is named, the day is in that month."""
    start = today.replace(day=1) + relativedelta(months=int(fields.get("months", 0)))
    for ahead in range(_MOST_MONTHS + 1):
        first = start + relativedelta(months=ahead)
        found = find(fields, first) if first.month == fields.get("month", first.month) else None
        if found is not None and found >= today:
            return found
        if "months" in fields:
            break
    raise _impossible(fields)


def _day_of_month(fields: Fields, first: date) -> date | None:
    day = int(fields.get("day", 1))
    found = first + relativedelta(day=31) if day < 0 else _existing(first.year, first.month, day)
    is_wrong_weekday = found is not None and "weekday" in fields and found.weekday() != _weekday(fields)
    return None if is_wrong_weekday and "month" not in fields else found


def _nth_weekday(fields: Fields, first: date) -> date | None:
    nth, number = int(fields["nth"]), _weekday(fields)
    start = first if nth > 0 else first + relativedelta(day=31)
    found: date = start + relativedelta(weekday=weekday(number)(nth))
    return found if found.month == first.month else None


def _existing(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _impossible(fields: Fields) -> ImpossibleTimeError:
    named = ", ".join(f"{name} {fields[name]}" for name in ("year", "month", "day", "nth", "weekday") if name in fields)
    return ImpossibleTimeError(f"No date has {named}.")
