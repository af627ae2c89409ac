"""Reads the time phrase of a sentence: finds its parts and combines their meanings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import chain

from dateutil.relativedelta import relativedelta

from reachy_agent_ros.nlu.number_words import number_words
from reachy_agent_ros.nlu.numbers import tokens
from reachy_agent_ros.nlu.times.clock import Clock, at, clock, usual_clock
from reachy_agent_ros.nlu.times.days import day_of
from reachy_agent_ros.nlu.times.phrase import TimeKind, TimePhrase
from reachy_agent_ros.nlu.times.recurrence import first_occurrence, rrule_of
from reachy_agent_ros.nlu.times.templates import Fields, combined
from reachy_agent_ros.nlu.times.time_words import PHRASE_RULES, TimeWords, time_words
from reachy_agent_ros.nlu.tokens import Token

_DAY = 86400.0
"""Duration of a day, s."""

_RULES_AFTER_PART = ("every", "after", "clock", "loose_clock", "day", "part", "loose_part", "duration")
"""`PHRASE_RULES` after another part: "demain 18 heures" is a time of day, but "18 heures" is a duration."""

_CLOCKS = ("clock", "loose_clock")

_MOST = {"day": 2, "every": 2}
"""Number of parts of one kind in a phrase, if it is not one."""


@dataclass(frozen=True)
class _Part:
    """Part of a time phrase, such as a day or a time of day.

    Attributes:
        rule: Rule that it matches, without "loose_".
        is_loose: Whether it counts only next to another part.
        start: Index of the first token.
        end: Index after the last token.
        fields: Its values.
    """

    rule: str
    is_loose: bool
    start: int
    end: int
    fields: Fields


def read_time(text: str, language: str, now: datetime) -> TimePhrase | None:
    """Reads the longest time phrase of a text.

    Args:
        text: Sentence as spoken or typed.
        language: ISO 639-1 code of a folder in `languages`.
        now: Current time with its zone, which is that of the result.

    Returns:
        The phrase, or None if the text has none.

    Raises:
        ImpossibleTimeError: The phrase names a time that does not exist.
        AgentError: `INVALID_ARGUMENTS` if the words of the language cannot be read.
    """
    words = time_words(language)
    found = tokens(text, language)
    groups = [group for group in _groups(found, language) if _is_phrase(group, found)]
    if not groups:
        return None
    group = max(groups, key=lambda parts: parts[-1].end - parts[0].start)
    start, end = group[0].start, group[-1].end
    phrase = _meaning(group, words, now)
    is_partial = any(words.time_words.longest(found, index) for index in (*range(start), *range(end, len(found))))
    is_ambiguous = phrase.is_ambiguous or is_partial
    return replace(phrase, start=found[start].start, end=found[end - 1].end, is_ambiguous=is_ambiguous)


def _parts(found: Sequence[Token], language: str) -> Iterator[_Part]:
    """Finds the longest part at each position."""
    words = time_words(language)
    search = words.grammar.search(found)
    index, end = 0, 0
    while index < len(found):
        follows_day = end > 0 and _is_glue(found[end:index], words)
        best: _Part | None = None
        for rule in _RULES_AFTER_PART if follows_day else PHRASE_RULES:
            match = search.longest(rule, index)
            is_time = match is not None and not (rule in _CLOCKS and _is_unit(found[match[0] : match[0] + 1], language))
            if match is not None and is_time and (best is None or match[0] > best.end):
                best = _Part(rule.removeprefix("loose_"), rule.startswith("loose_"), index, *match)
        index = index + 1 if best is None else best.end
        if best is not None:
            end = 0 if best.rule == "clock" else index
            yield best


def _is_unit(following: Sequence[Token], language: str) -> bool:
    """Returns whether a number before these tokens counts something, so that it is not a time: "at 20 degrees"."""
    is_angle = any(token.spelling is not None and token.number is None for token in following)
    return is_angle or any(token.text in number_words(language).unit_words for token in following)


def _is_glue(between: Sequence[Token], words: TimeWords) -> bool:
    return all(token.text in words.glue_words for token in between)


def _groups(found: Sequence[Token], language: str) -> list[list[_Part]]:
    """Joins parts that follow each other."""
    groups: list[list[_Part]] = []
    for part in _parts(found, language):
        if groups and _continues(groups[-1], part, found, time_words(language)):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _continues(group: Sequence[_Part], part: _Part, found: Sequence[Token], words: TimeWords) -> bool:
    between = found[group[-1].end : part.start]
    rules = [one.rule for one in group]
    is_complete = "duration" in rules or any(one.rule == "after" and "seconds" in one.fields for one in group)
    if part.rule == "duration" or is_complete:
        return False
    is_free = rules.count(part.rule) < _MOST.get(part.rule, 1)
    return is_free and _is_glue(between, words)


def _is_phrase(group: Sequence[_Part], found: Sequence[Token]) -> bool:
    """Returns whether the parts are a time, rather than numbers that are none."""
    if not all(part.is_loose for part in group):
        return True
    outside = chain(found[: group[0].start], found[group[-1].end :])
    return not any(token.text[0].isalnum() for token in outside)


def _meaning(group: Sequence[_Part], words: TimeWords, now: datetime) -> TimePhrase:
    fields: dict[str, Fields] = {}
    for part in group:
        fields[part.rule] = combined(fields.get(part.rule, {}), part.fields)
    if "duration" in fields:
        end = _later(now, fields["duration"])
        return TimePhrase(TimeKind.DURATION, 0, 0, duration_s=_duration(fields["duration"], now, end))
    if "every" in fields:
        return _recurrence(fields, words, now)
    return _instant(fields, words, now)


def _later(now: datetime, fields: Fields) -> datetime:
    """Adds months and days by the calendar, and seconds by the clock."""
    day = now + relativedelta(months=int(fields.get("months", 0)), days=int(fields.get("days", 0)))
    moment = day.astimezone(UTC) + timedelta(seconds=float(fields.get("seconds", 0)))
    return moment.astimezone(now.tzinfo)


def _duration(fields: Fields, now: datetime, end: datetime) -> float:
    if "months" in fields:
        return (end - now).total_seconds()
    return float(fields.get("seconds", 0)) + _DAY * float(fields.get("days", 0))


def _time_of_day(fields: Mapping[str, Fields], is_today: bool) -> Clock | None:
    """Returns the time of day of a phrase; None if it names none."""
    parts = [str(fields[rule]["part"]) for rule in ("clock", "part", "day", "every") if "part" in fields.get(rule, {})]
    part = parts[0].split(",")[0] if parts else None
    if "clock" in fields:
        return clock(fields["clock"], part, is_today)
    return None if part is None else usual_clock(part)


def _instant(fields: Mapping[str, Fields], words: TimeWords, now: datetime) -> TimePhrase:
    """Returns the point in time of a phrase with a day, a distance or a time of day."""
    distance, named = fields.get("after", {}), fields.get("day", {})
    day, is_unsure = _day(distance, named, now)
    is_today = day == now.date()
    time_of_day = _time_of_day(fields, is_today)
    phrase = TimePhrase(TimeKind.INSTANT, 0, 0)
    if time_of_day is None and distance and not named:
        when = _later(now, distance)
        return replace(phrase, when=when, duration_s=_duration(distance, now, when))
    if time_of_day is None:
        return replace(phrase, when=at(day, 0, now), has_clock=False, is_ambiguous=True)
    if is_today:
        when, is_likely = time_of_day.next(now, only_today=bool(named))
    else:
        minutes, is_likely = time_of_day.on_other_day(words.twelve_hour)
        when = at(day, minutes, now)
    return replace(phrase, when=when, has_clock=not time_of_day.is_guess, is_ambiguous=is_likely or is_unsure)


def _day(distance: Fields, named: Fields, now: datetime) -> tuple[date, bool]:
    """Returns the day of a phrase, and whether another one is likely too: "on Tuesday in two weeks" may be early."""
    today = now.date()
    if not named:
        return _later(now, distance).date(), False
    day, is_unsure = day_of(named, today)
    return day + timedelta(days=int(distance.get("days", 0))), is_unsure or (bool(distance) and "weekday" in named)


def _recurrence(fields: Mapping[str, Fields], words: TimeWords, now: datetime) -> TimePhrase:
    every = combined(fields["every"], fields.get("day", {}))
    rrule, time_of_day = rrule_of(every), _time_of_day(fields, is_today=False)
    phrase = TimePhrase(TimeKind.RECURRENCE, 0, 0, rrule=rrule)
    if time_of_day is not None:
        minutes, is_likely = time_of_day.on_other_day(words.twelve_hour)
        when = first_occurrence(rrule, at(now.date(), minutes, now), now)
        return replace(phrase, when=when, has_clock=not time_of_day.is_guess, is_ambiguous=is_likely)
    if "seconds" in every:
        return replace(phrase, when=_later(now, every))
    when = first_occurrence(rrule, at(now.date(), 0, now), now)
    return replace(phrase, when=when, has_clock=False, is_ambiguous=True)
