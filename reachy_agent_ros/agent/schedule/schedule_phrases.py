"""Sentences about timers, alarms and reminders, from the file `schedule.yaml` of each language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, Literal

from reachy_agent_ros.agent.toolbox.spoken_tool import DEFAULT_LANGUAGE, SpokenError, read_phrases
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.nlu.times.speech import say_duration
from reachy_agent_ros.storage.strict_yaml import StrictForm

KindName = Literal["timer", "alarm", "reminder"]
ErrorName = Literal[
    "too_many",
    "text_too_long",
    "bad_duration",
    "clock_not_set",
    "in_the_past",
    "too_far",
    "too_often",
    "no_time",
    "no_clock_time",
    "impossible_time",
    "no_text",
    "unclear",
    "not_a_timer",
    "nothing_rings",
]


class SchedulePhrases(StrictForm):
    """Format strings for sentences about the schedule.

    Attributes:
        kinds: Names of the kinds of entries.
        set: Confirmation of a new entry, with its `duration` or `when` it is due.
        due: Announcement of an entry.
        none: Replies if there is no entry of a kind, or no entry at all.
        moved: Addition if the clocks skip the time of an entry.
        missed: Late announcement of an `item` that was due `when`.
        several_due: Announcement of several `items`.
        more: Number of further items, `count`.
        listed: List of `items`.
        left: `duration` that is left for an `item`.
        prolonged: `duration` that is left for an `item` after a change.
        canceled: Confirmation that `items` were canceled.
        snoozed: Confirmation that an alarm rings again, `when`.
        errors: Reasons why a request cannot be carried out.
        at: Phrases that make a bare `time`, such as "7", a time of day.
        connectives: Words between "remind me" and the text of the reminder.
    """

    kinds: dict[KindName, str]
    set: dict[KindName, str]
    due: dict[KindName, str]
    none: dict[KindName | Literal["any"], str]
    moved: str
    missed: str
    several_due: str
    more: str
    listed: str
    left: str
    prolonged: str
    canceled: str
    snoozed: str
    errors: dict[ErrorName, str]
    at: list[str]
    connectives: list[str]


@cache
def schedule_phrases(language: str) -> SchedulePhrases:
    """Loads the sentences of a language.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the language is unknown, or its file is invalid.
    """
    return read_phrases(language, "schedule.yaml", SchedulePhrases, "Cannot speak of timers")


class ScheduleError(SpokenError):
    """Error about the schedule.

    Args:
        name: Name of the message in `schedule.yaml`.
        values: Values in the message. A float is a duration, s.
        code: Error code.
        language: ISO 639-1 code.
    """

    def __init__(
        self,
        name: ErrorName,
        values: Mapping[str, Any] | None = None,
        code: ErrorCode = ErrorCode.INVALID_ARGUMENTS,
        language: str = DEFAULT_LANGUAGE,
    ) -> None:
        super().__init__(code, partial(_worded, name, dict(values or {})), language)


def _worded(name: ErrorName, values: Mapping[str, Any], language: str) -> str:
    said = {key: _said(value, language) for key, value in values.items()}
    return schedule_phrases(language).errors[name].format(**said)


def _said(value: Any, language: str) -> str:
    if isinstance(value, float):
        return say_duration(value, language)
    return str(value)
