"""Interpretation of the time phrase in a sentence, by combining the meanings of its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from reachy_agent_ros.nlu.numbers import tokens
from reachy_agent_ros.nlu.times.clock import Clock, at, clock, usual_clock
from reachy_agent_ros.nlu.times.days import day_of
from reachy_agent_ros.nlu.times.parts import Part, time_phrases
from reachy_agent_ros.nlu.times.phrase import ImpossibleTimeError, TimeKind, TimePhrase
from reachy_agent_ros.nlu.times.recurrence import first_occurrence, rrule_of
from reachy_agent_ros.nlu.times.templates import Fields, combined
from reachy_agent_ros.nlu.times.time_words import TimeWords, time_words
from reachy_agent_ros.nlu.tokens import Token

_NEAR = 2
"""Maximum distance of a number that may belong to a phrase, tokens."""

_MOST_MONTHS = 12 * 7000
"""Maximum distance, months; the calendar ends with the year 9999."""

_DAY = 86400.0
"""Duration of a day, s."""


def read_time(text: str, language: str, now: datetime) -> TimePhrase | None:
    """Parses the longest time phrase in a text.

    Args:
        text: Sentence as spoken or typed.
        language: ISO 639-1 code of a folder in `languages`.
        now: Current time with its zone, which is also the zone of the result.

    Returns:
        The phrase, or None if the text has none.

    Raises:
        ImpossibleTimeError: The phrase names a time that does not exist.
        AgentError: `INVALID_ARGUMENTS` if the words of the language cannot be read.
    """
    words = time_words(language)
    found, respelled = words.spelling.corrected(tokens(text, language))
    phrases = time_phrases(found, language)
    if not phrases:
        return None
    parts = max(phrases, key=lambda phrase: phrase[-1].end - phrase[0].start)
    start, end = parts[0].start, parts[-1].end
    outside = [index for index in range(len(found)) if not start <= index < end]
    is_partial = len(phrases) > 1 or any(_is_unread(found, index, start, end, words) for index in outside)
    is_uncertain = is_partial or any(start <= index < end for index in respelled)
    try:
        phrase = _meaning(parts, words, now)
    except OverflowError:
        raise ImpossibleTimeError("The time is too far in the future: expected a year up to 9999.") from None
    is_ambiguous = phrase.is_ambiguous or is_uncertain
    return replace(phrase, start=found[start].start, end=found[end - 1].end, is_ambiguous=is_ambiguous)


def _is_unread(found: Sequence[Token], index: int, start: int, end: int, words: TimeWords) -> bool:
    """Returns whether a token outside a phrase may belong to the phrase: a time word, or a number near the phrase."""
    token = found[index]
    is_near = min(abs(index - start), abs(index - end + 1)) <= _NEAR
    is_number = token.ordinal is not None or (token.number is not None and token.spelling is not None)
    return (is_near and is_number) or words.is_about_time(found, index)


def _meaning(parts: Sequence[Part], words: TimeWords, now: datetime) -> TimePhrase:
    fields: dict[str, Fields] = {}
    for part in parts:
        fields[part.rule] = combined(fields.get(part.rule, {}), part.fields)
    if "duration" in fields:
        end = _later(now, fields["duration"])
        return TimePhrase(TimeKind.DURATION, 0, 0, duration_s=_duration(fields["duration"], now, end))
    if "every" in fields:
        return _recurrence(fields, words, now)
    return _instant(fields, words, now)


def _later(now: datetime, fields: Fields) -> datetime:
    """Adds a period to a point in time: months and days by the calendar, seconds by elapsed time."""
    months = int(fields.get("months", 0))
    if months > _MOST_MONTHS:
        raise OverflowError
    day: datetime = now + relativedelta(months=months, days=int(fields.get("days", 0)))
    moment = day.astimezone(UTC) + timedelta(seconds=float(fields.get("seconds", 0)))
    return moment.astimezone(now.tzinfo)


def _duration(fields: Fields, now: datetime, end: datetime) -> float:
    if "months" in fields:
        return (end - now).total_seconds()
    return float(fields.get("seconds", 0)) + _DAY * float(fields.get("days", 0))


def _time_of_day(fields: Mapping[str, Fields], is_today: bool) -> Clock | None:
    """Returns the time of day in a phrase, or None if the phrase contains no time of day."""
    parts = [str(fields[rule]["part"]) for rule in ("clock", "part", "day", "every") if "part" in fields.get(rule, {})]
    part = parts[0].split(",")[0] if parts else None
    if "clock" in fields:
        return clock(fields["clock"], part, is_today)
    return None if part is None else usual_clock(part)


def _instant(fields: Mapping[str, Fields], words: TimeWords, now: datetime) -> TimePhrase:
    """Interprets a phrase with a day, a distance or a time of day as a point in time."""
    distance, named = fields.get("after", {}), fields.get("day", {})
    day, is_unsure = _day(distance, named, now)
    is_today = day == now.date()
    time_of_day = _time_of_day(fields, is_today)
    phrase = TimePhrase(TimeKind.INSTANT, 0, 0)
    if time_of_day is None and distance and not named:
        when = _later(now, distance)
        is_likely = bool(distance.get("is_unsure"))
        return replace(phrase, when=when, duration_s=_duration(distance, now, when), is_ambiguous=is_likely)
    if time_of_day is None:
        return replace(phrase, when=at(day, 0, now), has_clock=False, is_ambiguous=True)
    if is_today:
        when, is_likely = time_of_day.next(now, only_today=bool(named))
    else:
        minutes, is_likely = time_of_day.on_other_day(words.twelve_hour)
        when = at(day, minutes, now)
    return replace(phrase, when=when, has_clock=not time_of_day.is_guess, is_ambiguous=is_likely or is_unsure)


def _day(distance: Fields, named: Fields, now: datetime) -> tuple[date, bool]:
    """Returns the day of a phrase, and whether another day is also likely, as in "on Tuesday in two weeks"."""
    today = now.date()
    if not named:
        return _later(now, distance).date(), False
    day, is_unsure = day_of(named, today)
    return day + timedelta(days=int(distance.get("days", 0))), is_unsure or (bool(distance) and "weekday" in named)


def _recurrence(fields: Mapping[str, Fields], words: TimeWords, now: datetime) -> TimePhrase:
    every = combined(fields["every"], fields.get("day", {}))
    rrule, time_of_day = rrule_of(every), _time_of_day(fields, is_today=False)
    phrase = TimePhrase(TimeKind.RECURRENCE, 0, 0, rrule=rrule, is_ambiguous="is_unsure" in every)
    if time_of_day is not None:
        minutes, is_likely = time_of_day.on_other_day(words.twelve_hour)
        when = first_occurrence(rrule, at(now.date(), minutes, now), now)
        is_ambiguous = is_likely or phrase.is_ambiguous
        return replace(phrase, when=when, has_clock=not time_of_day.is_guess, is_ambiguous=is_ambiguous)
    if "seconds" in every:
        return replace(phrase, when=_later(now, every))
    when = first_occurrence(rrule, at(now.date(), 0, now), now)
    return replace(phrase, when=when, has_clock=False, is_ambiguous=True)
