"""Formatting of times for speech, so that a person can check what the robot has understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from reachy_agent_ros.nlu.times.phrase import TimeKind, TimePhrase
from reachy_agent_ros.nlu.times.spoken_words import SpokenTimes, Unit, Weekday
from reachy_agent_ros.nlu.times.time_words import time_words

_WEEKDAYS: Sequence[Weekday] = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WORKING_DAYS = _WEEKDAYS[:5]
_FREQUENCIES: Mapping[str, Unit] = {
    "SECONDLY": "second",
    "MINUTELY": "minute",
    "HOURLY": "hour",
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
}
_SIZES: Sequence[tuple[Unit, int]] = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
"""Units of spoken durations, s."""

_NIGHT = range(1, 5)
"""Hours that people would understand as afternoon hours."""

_WEEK = timedelta(days=7)


def say_time(phrase: TimePhrase, language: str, now: datetime) -> str:
    """Formats a time phrase as text in a language, such as "tomorrow at 7:30 am".

    Args:
        phrase: The time.
        language: ISO 639-1 code of a folder in `languages`.
        now: Current time with its zone.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the words of the language cannot be read.
    """
    words = time_words(language).spoken
    if phrase.kind is TimeKind.DURATION:
        return _duration(phrase.duration_s or 0.0, words)
    if phrase.duration_s is not None and phrase.duration_s < _WEEK.total_seconds():
        return words.after.format(duration=_duration(phrase.duration_s, words, after_preposition=True))
    if phrase.when is None:
        return ""
    has_time = phrase.has_clock or phrase.when.hour > 0  # for a part of the day, its usual time is said
    clock = _clock(phrase.when, words) if has_time else ""
    if phrase.rrule is None:
        return f"{_day(phrase.when, words, now)} {clock}".strip()
    rule = dict(part.split("=") for part in phrase.rrule.split(";"))
    is_short = rule["FREQ"] in ("SECONDLY", "MINUTELY", "HOURLY")
    return f"{_every(rule, phrase.when, words)} {'' if is_short else clock}".strip()


def say_duration(seconds: float, language: str) -> str:
    """Formats a duration (s) as text in a language, rounded to seconds: "1 hour and 30 minutes".

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the words of the language cannot be read.
    """
    return _duration(seconds, time_words(language).spoken)


def _duration(seconds: float, words: SpokenTimes, after_preposition: bool = False) -> str:
    """Formats a duration as text, rounded to seconds."""
    rest = round(seconds)
    pieces = []
    for unit, size in _SIZES:
        number, rest = divmod(rest, size)
        if number:
            pieces.append(words.counted(number, unit, after_preposition))
    return words.listed(pieces or [words.counted(0, "second")])


def _clock(when: datetime, words: SpokenTimes) -> str:
    template = words.clock if when.minute else words.full_hour
    hour = (when.hour - 1) % 12 + 1
    half = words.halves[when.hour // 12] if words.halves else ""
    text = template.format(hour=when.hour, hour_12=hour, minute=f"{when.minute:02d}", half=half)
    for plural, singular in words.singular.items():
        if text.startswith(plural):
            text = singular + text.removeprefix(plural)
    return f"{text} {words.at_night}".strip() if when.hour in _NIGHT else text


def _day(when: datetime, words: SpokenTimes, now: datetime) -> str:
    ahead = (when.date() - now.date()).days
    if ahead in (0, 1):
        return (words.today, words.tomorrow)[ahead]
    if 1 < ahead < _WEEK.days:
        return words.on_weekday.format(weekday=words.weekdays[_WEEKDAYS[when.weekday()]])
    return words.on_date.format(date=_date(when, words) if when.year == now.year else _date_with_year(when, words))


def _date(when: datetime, words: SpokenTimes) -> str:
    return words.date.format(day=words.days.get(when.day, str(when.day)), month=words.months[when.month - 1])


def _date_with_year(when: datetime, words: SpokenTimes) -> str:
    return words.date_with_year.format(date=_date(when, words), year=when.year)


def _every(rule: Mapping[str, str], when: datetime, words: SpokenTimes) -> str:
    """Formats a recurrence as text, without its time of day."""
    days = rule["BYDAY"].split(",") if "BYDAY" in rule else []
    if "BYMONTH" in rule:
        return words.every_year.format(date=_date(when, words))
    if "BYMONTHDAY" in rule:
        day = int(rule["BYMONTHDAY"])
        return words.every_last_day if day < 0 else words.every_month_day.format(day=words.days.get(day, str(day)))
    if rule["FREQ"] == "MONTHLY" and days:
        number, day_name = int(days[0][:-2]), days[0][-2:]
        nth = words.nth_other if day_name in words.other_gender else words.nth
        return words.every_nth.format(nth=nth[number], weekday=_named([day_name], words))
    return _every_period(_FREQUENCIES[rule["FREQ"]], int(rule.get("INTERVAL", 1)), days, words)


def _every_period(unit: Unit, number: int, days: Sequence[str], words: SpokenTimes) -> str:
    if number == 1 and days == list(_WORKING_DAYS):
        return words.every_working_day
    if number == 1 and days:
        return words.every_weekday.format(weekdays=_named(days, words))
    counted = words.counted(number, unit, after_preposition=True)
    period = words.every_one[unit] if number == 1 else words.every_number.format(counted=counted)
    return f"{period} {words.on_weekday.format(weekday=_named(days, words))}" if days else period


def _named(days: Sequence[str], words: SpokenTimes) -> str:
    return words.listed([words.weekdays[day] for day in _WEEKDAYS if day in days])
