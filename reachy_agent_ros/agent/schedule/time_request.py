"""Interpretation of when an entry should be due, in the words of a person or a model."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from reachy_agent_ros.agent.schedule.entry import ElapsedTime, Entry, EntryKind
from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.schedule_phrases import ScheduleError, schedule_phrases
from reachy_agent_ros.agent.schedule.wall_time import WallTime, repeated
from reachy_agent_ros.agent.toolbox.spoken_tool import DEFAULT_LANGUAGE
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.templates.languages import language_codes
from reachy_agent_ros.nlu.times.phrase import ImpossibleTimeError, TimeKind, TimePhrase
from reachy_agent_ros.nlu.times.reader import read_time

_DAY = 86400.0
"""Duration of a day, s."""

_LONGEST_BARE = 3
"""Maximum number of words of a bare time of day, such as "7:30 am"."""

_MARKS = " \t\n,;:.!?-"


@dataclass(frozen=True)
class TimeRequest:
    """Time that a text names.

    Attributes:
        time: When the entry is due.
        language: ISO 639-1 code of the language in which the time was understood.
        rest: The text without the time and without words such as "to" before the rest.
    """

    time: ElapsedTime | WallTime
    language: str
    rest: str


def read_request(text: str, language: str, schedule: Schedule, is_clock: bool = False) -> TimeRequest:
    """Finds the time in a text such as "tomorrow at 7:30 am" or "call mom every weekday at nine".

    The robot uses the likeliest meaning of an ambiguous time and says it back, so that a person can correct it.

    Args:
        text: Time in words, alone or with other words.
        language: ISO 639-1 code; empty if unknown.
        schedule: Schedule for which the time is meant.
        is_clock: Whether a bare time such as "7" or "7 heures" is a time of day rather than a duration.

    Raises:
        ScheduleError: `INVALID_ARGUMENTS`: the text names no time, or not the time of day, or one that does not exist.
    """
    # Local time, but labeled as UTC, which has no clock changes: a time that the clocks skip keeps its spoken form.
    now = schedule.clocks.now().replace(tzinfo=UTC)
    spoken = language or DEFAULT_LANGUAGE
    try:
        phrase = _phrase(text, language, now, is_clock) if language else None
        if not language:
            phrase, spoken = _phrase_in_any_language(text, now, is_clock)
    except ImpossibleTimeError:
        raise ScheduleError("impossible_time", language=spoken) from None
    if phrase is None:
        raise ScheduleError("no_time", language=spoken)
    if not phrase.has_clock and phrase.when is not None and phrase.when.hour == 0:
        raise ScheduleError("no_clock_time", language=spoken)
    rest = _rest(text, phrase, spoken)
    if phrase.duration_s is not None and (phrase.kind is TimeKind.DURATION or phrase.duration_s < _DAY):
        return TimeRequest(schedule.elapsed(phrase.duration_s), spoken, rest)
    assert phrase.when is not None  # noqa: S101 - only a duration has no point in time
    local, zone = phrase.when.replace(tzinfo=None), schedule.clocks.zone()
    return TimeRequest(repeated(local, zone, phrase.rrule or ""), spoken, rest)


def _phrase(text: str, language: str, now: datetime, is_clock: bool) -> TimePhrase | None:
    """Returns the time phrase of a text. A bare time of day becomes one with its preposition."""
    plain = read_time(text, language, now)
    if len(text.split()) > _LONGEST_BARE or (plain is not None and not is_clock):
        return plain
    forms = (form.format(time=text) for form in schedule_phrases(language).at)
    bare = next(filter(None, (read_time(form, language, now) for form in forms)), None)
    return plain if bare is None else replace(bare, start=0, end=len(text))


def _phrase_in_any_language(text: str, now: datetime, is_clock: bool) -> tuple[TimePhrase | None, str]:
    """Returns the longest time phrase that any language finds in a text, and the language; English if several do."""
    best: TimePhrase | None = None
    best_language = DEFAULT_LANGUAGE
    for language in sorted(language_codes(), key=lambda code: code != DEFAULT_LANGUAGE):
        phrase = _phrase(text, language, now, is_clock)
        # A word of another language alone may be a misspelled one of this language: "banana", "mañana".
        if phrase is None or not (phrase.has_clock or language == DEFAULT_LANGUAGE):
            continue
        if best is None or phrase.end - phrase.start > best.end - best.start:
            best, best_language = phrase, language
    return best, best_language


def _rest(text: str, phrase: TimePhrase, language: str) -> str:
    words = "|".join(map(re.escape, schedule_phrases(language).connectives))
    connectives = re.compile(rf"^(?:(?:{words})(?:\s+|$))+", re.IGNORECASE)
    parts = (text[: phrase.start], text[phrase.end :])
    return " ".join(filter(None, (connectives.sub("", part.strip(_MARKS)) for part in parts)))


def worded_entry(kind: EntryKind, text: str, time: str, language: str, schedule: Schedule) -> Entry:
    """Returns an entry, not yet added, that is due at a time in words.

    Args:
        kind: Kind of the entry.
        text: Name of a timer or alarm, or what to remind of.
        time: When it is due: "ten minutes", "tomorrow at 7:30 am".
        language: ISO 639-1 code; empty if unknown.
        schedule: Schedule for which the entry is meant.

    Raises:
        ScheduleError: See `read_request`; also if a reminder has no text.
        AgentError: `INVALID_ARGUMENTS`: the time of a timer is not a duration, or the language is unknown.
    """
    if language:
        schedule_phrases(language)
    request = read_request(time, language, schedule, is_clock=kind is not EntryKind.TIMER)
    if kind is EntryKind.TIMER and not isinstance(request.time, ElapsedTime):
        message = f"Invalid time {time!r:.60} of a timer: expected a duration such as 'ten minutes'."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    if kind is EntryKind.REMINDER and not text:
        raise ScheduleError("no_text", language=request.language)
    return Entry(kind, text, request.language, request.time)
