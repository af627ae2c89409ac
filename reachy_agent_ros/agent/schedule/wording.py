"""Wording of entries: confirmations, lists and announcements, in the language of the request."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reachy_agent_ros.agent.schedule.clocks import Clocks
from reachy_agent_ros.agent.schedule.entry import ElapsedTime, Entry, EntryKind, Firing
from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.schedule_phrases import KindName, schedule_phrases
from reachy_agent_ros.agent.toolbox.clock import time_zone
from reachy_agent_ros.nlu.times.phrase import TimeKind, TimePhrase
from reachy_agent_ros.nlu.times.speech import say_duration, say_time
from reachy_agent_ros.nlu.times.time_words import time_words

LATE = 60.0
"""Minimum delay that an announcement mentions, s."""

_MOST_NAMED = 5
"""Maximum number of entries in a spoken sentence: nobody listens to a thousand."""

_KINDS: dict[EntryKind, KindName] = {
    EntryKind.TIMER: "timer",
    EntryKind.ALARM: "alarm",
    EntryKind.REMINDER: "reminder",
}


def kind_name(kind: EntryKind) -> KindName:
    """Returns the English name of a kind, which tools, commands and files use."""
    return _KINDS[kind]


def named_item(entry: Entry, language: str) -> str:
    """Names an entry by its kind and text: "timer", "timer pasta", "reminder call mom"."""
    return f"{schedule_phrases(language).kinds[kind_name(entry.kind)]} {entry.text}".strip()


def named_items(entries: Sequence[Entry], language: str) -> str:
    """Names several entries, of which there is at least one."""
    return _listed([named_item(entry, language) for entry in entries], language)


def timed_items(entries: Sequence[Entry], schedule: Schedule, language: str) -> str:
    """Names several entries, of which there is at least one, with their due times."""
    items = [f"{named_item(entry, language)} {due_time(entry, schedule, language)}" for entry in entries]
    return _listed(items, language)


def due_time(entry: Entry, schedule: Schedule, language: str) -> str:
    """Describes when an entry is due: "in 5 minutes", "tomorrow at 7:30 am", "every weekday at 9 am"."""
    now, left = schedule.clocks.now(), schedule.time_left(entry)
    if isinstance(entry.time, ElapsedTime):
        when = datetime.fromtimestamp(now.timestamp() + left, now.tzinfo)
        return say_time(TimePhrase(TimeKind.INSTANT, 0, 0, max(0.0, left), when), language, now)
    kind = TimeKind.RECURRENCE if entry.time.rrule else TimeKind.INSTANT
    moment = entry.time.moment
    phrase = TimePhrase(kind, 0, 0, when=moment, rrule=entry.time.rrule or None)
    return say_time(phrase, language, now.astimezone(moment.tzinfo))


def confirmation(entry: Entry, schedule: Schedule, language: str) -> str:
    """Confirms a new entry, with the time as the robot has understood it."""
    phrases = schedule_phrases(language)
    duration = say_duration(entry.time.duration, language) if isinstance(entry.time, ElapsedTime) else ""
    when = due_time(entry, schedule, language)
    confirmed = phrases.set[kind_name(entry.kind)].format(duration=duration or when, when=when)
    is_moved = not isinstance(entry.time, ElapsedTime) and entry.time.is_moved
    return " ".join(filter(None, (_with_text(confirmed, entry.text), phrases.moved if is_moved else "")))


def overview(entries: Sequence[Entry], schedule: Schedule, language: str, kind: EntryKind | None = None) -> str:
    """Lists entries with their due times; for a single timer, says the time that is left.

    Args:
        entries: Entries of the kind.
        schedule: Schedule of the entries.
        language: ISO 639-1 code.
        kind: Kind that was asked for; None for all.
    """
    phrases = schedule_phrases(language)
    if not entries:
        return phrases.none["any" if kind is None else kind_name(kind)]
    if len(entries) == 1 and isinstance(entries[0].time, ElapsedTime):
        left = say_duration(schedule.time_left(entries[0]), language)
        return _sentence(phrases.left.format(item=named_item(entries[0], language), duration=left))
    return phrases.listed.format(items=timed_items(entries, schedule, language))


def time_left(entry: Entry, schedule: Schedule, language: str) -> str:
    """Says how much time is left after a change."""
    left = say_duration(schedule.time_left(entry), language)
    item = named_item(entry, language)
    return _sentence(schedule_phrases(language).prolonged.format(item=item, duration=left))


def announcement(firings: Sequence[Firing], clocks: Clocks) -> str:
    """Announces entries that are due, of which there is at least one, each in its own language."""
    if len(firings) <= _MOST_NAMED:
        return " ".join(_announced(firing, clocks) for firing in firings)
    language = firings[0].entry.language
    items = named_items([firing.entry for firing in firings], language)
    return schedule_phrases(language).several_due.format(items=items)


def _announced(firing: Firing, clocks: Clocks) -> str:
    entry, language = firing.entry, firing.entry.language
    phrases = schedule_phrases(language)
    if firing.lateness < LATE:
        due = _with_text(phrases.due[kind_name(entry.kind)], entry.text)
        is_moved = not isinstance(entry.time, ElapsedTime) and entry.time.is_moved
        return " ".join(filter(None, (due, phrases.moved if is_moved else "")))
    now = clocks.now()
    when = datetime.fromtimestamp(entry.wall_due, time_zone(clocks.zone()))
    due_at = say_time(TimePhrase(TimeKind.INSTANT, 0, 0, when=when), language, now)
    return phrases.missed.format(when=due_at, item=named_item(entry, language))


def _listed(items: Sequence[str], language: str) -> str:
    named = list(items[:_MOST_NAMED])
    if len(items) > _MOST_NAMED:
        named.append(schedule_phrases(language).more.format(count=len(items) - _MOST_NAMED))
    return time_words(language).spoken.listed(named)


def _with_text(sentence: str, text: str) -> str:
    """Adds the name or text of an entry: "Your timer is done: pasta."."""
    return f"{sentence.rstrip('.')}: {text.rstrip('.')}." if text else sentence


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
