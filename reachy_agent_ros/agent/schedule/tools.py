"""Tools for timers, alarms and reminders. Each result contains the sentence that the robot says about it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from reachy_agent_ros.agent.provenance.label import read, remembered, written
from reachy_agent_ros.agent.schedule.announcer import Announcer
from reachy_agent_ros.agent.schedule.entry import Entry, EntryKind
from reachy_agent_ros.agent.schedule.schedule import Schedule, matching
from reachy_agent_ros.agent.schedule.schedule_phrases import ScheduleError, schedule_phrases
from reachy_agent_ros.agent.schedule.time_request import read_request
from reachy_agent_ros.agent.schedule.wording import (
    confirmation,
    due_time,
    kind_name,
    named_items,
    overview,
    time_left,
    timed_items,
)
from reachy_agent_ros.agent.toolbox.spoken_tool import Result, Run, SpokenArguments, SpokenArgumentsT, in_language
from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.tools.protocol.tools import ToolCall

SNOOZE = 540.0
"""Default time for which an alarm is snoozed, s, as on most alarm clocks."""

_SPECIALIST = "memory"

_Kind = Literal["timer", "alarm", "reminder", "any"]
_KINDS: Mapping[str, EntryKind | None] = {
    "any": None,
    "timer": EntryKind.TIMER,
    "alarm": EntryKind.ALARM,
    "reminder": EntryKind.REMINDER,
}


class _SetTimer(SpokenArguments):
    duration_s: float = Field(description="Duration in seconds, up to 30 days.")
    name: str = Field(default="", description="Name, such as 'pasta'.", max_length=200)


class _SetAlarm(SpokenArguments):
    time: str = Field(
        default="",
        description="When it rings, in words: 'tomorrow at 7:30 am', 'every weekday at 6:45'.",
        max_length=200,
    )
    delay_s: float | None = Field(default=None, description="Time from now in seconds, instead of `time`.")
    name: str = Field(default="", description="Name, such as 'early shift'.", max_length=200)


class _SetReminder(SpokenArguments):
    text: str = Field(description="What to remind of, such as 'call mom'.", min_length=1, max_length=300)
    delay_s: float | None = Field(default=None, description="Time from now in seconds, instead of `time`.")
    time: str = Field(
        default="", description="When, in words: 'tomorrow at 8 am', 'every weekday at nine'.", max_length=200
    )


class _Chosen(SpokenArguments):
    kind: _Kind = Field(default="any", description="Kind of the entries.")
    name: str = Field(default="", description="Part of the name or text; empty for any.", max_length=200)


class _ChangeTimer(SpokenArguments):
    change_s: float = Field(description="Time to add in seconds; negative to shorten the timer.")
    name: str = Field(default="", description="Part of the name; empty for the only timer.", max_length=200)


class _Cancel(_Chosen):
    all: bool = Field(default=False, description="Whether to cancel all matching entries rather than the only one.")


class _Snooze(SpokenArguments):
    delay_s: float = Field(default=SNOOZE, description="Time until the alarm rings again, in seconds.")


def schedule_tools(schedule: Schedule, announcer: Announcer) -> list[OwnTool[Any]]:
    """Returns the tools for timers, alarms and reminders.

    Args:
        schedule: Schedule that the tools change.
        announcer: Announces the entries, and stops ringing.
    """
    work = ScheduleWork(schedule, announcer)
    return [
        _tool("set_timer", "Sets a timer, which the robot announces once.", _SetTimer, work.set_timer),
        _tool("set_alarm", "Sets an alarm, once or repeated, which rings until stopped.", _SetAlarm, work.set_alarm),
        _tool("set_reminder", "Reminds the person, once or repeatedly.", _SetReminder, work.set_reminder),
        _tool("change_timer", "Adds time to a timer or shortens it.", _ChangeTimer, work.change_timer),
        _tool("cancel_schedule", "Cancels entries, or turns a ringing alarm off.", _Cancel, work.cancel),
        _tool("list_schedule", "Lists timers, alarms and reminders.", _Chosen, work.list_entries),
        _tool("snooze_alarm", "Stops the ringing alarm and lets it ring again later.", _Snooze, work.snooze),
    ]  # fmt: skip


@dataclass(frozen=True)
class ScheduleWork:
    """Work of the tools, on files, in threads. Errors are in the language of the request.

    Attributes:
        schedule: Schedule that the tools change.
        announcer: Announces the entries, and stops ringing.
    """

    schedule: Schedule
    announcer: Announcer

    async def set_timer(self, arguments: _SetTimer, call: ToolCall) -> Result:
        """Sets a timer."""
        time = self.schedule.elapsed(arguments.duration_s)
        return await self._add(EntryKind.TIMER, arguments.name, time, arguments.language_of(call), call)

    async def set_alarm(self, arguments: _SetAlarm, call: ToolCall) -> Result:
        """Sets an alarm."""
        if arguments.delay_s is not None:
            time = self.schedule.elapsed(arguments.delay_s)
            return await self._add(EntryKind.ALARM, arguments.name, time, arguments.language_of(call), call)
        known = arguments.language or call.language
        request = read_request(arguments.time, known, self.schedule, is_clock=True)
        name = arguments.name or request.rest
        return await self._add(EntryKind.ALARM, name, request.time, request.language, call)

    async def set_reminder(self, arguments: _SetReminder, call: ToolCall) -> Result:
        """Sets a reminder. Without `delay_s` and `time`, the text contains the time."""
        text, language = arguments.text, arguments.language_of(call)
        if arguments.delay_s is not None:
            time = self.schedule.elapsed(arguments.delay_s)
            return await self._add(EntryKind.REMINDER, text, time, language, call)
        known = arguments.language or call.language
        request = read_request(arguments.time or text, known, self.schedule, is_clock=bool(arguments.time))
        text = text if arguments.time else request.rest
        if not text:
            raise ScheduleError("no_text", language=request.language)
        return await self._add(EntryKind.REMINDER, text, request.time, request.language, call)

    async def change_timer(self, arguments: _ChangeTimer, call: ToolCall) -> Result:
        """Adds time to a timer."""
        language = arguments.language_of(call)
        found = self._found(EntryKind.TIMER, arguments.name)
        if not found:
            return {"sentence": overview((), self.schedule, language, EntryKind.TIMER)}
        entry = self._only(found, language)
        changed = await asyncio.to_thread(self.schedule.prolong, entry.identity, arguments.change_s)
        return {**self._told(changed, language), "sentence": time_left(changed, self.schedule, language)}

    async def cancel(self, arguments: _Cancel, call: ToolCall) -> Result:
        """Cancels entries. "Turn the alarm off" means the ringing one."""
        language, kind = arguments.language_of(call), _KINDS[arguments.kind]
        if kind in (None, EntryKind.ALARM) and (ringing := self.announcer.stop_ringing()):
            return {"sentence": schedule_phrases(language).canceled.format(items=named_items(ringing, language))}
        found = self._found(kind, arguments.name)
        if not found:
            return {"sentence": overview((), self.schedule, language, kind)}
        chosen = found if arguments.all else [self._only(found, language)]
        gone = await asyncio.to_thread(self.schedule.cancel, [entry.identity for entry in chosen])
        canceled = schedule_phrases(language).canceled.format(items=named_items(gone, language))
        return {"canceled": [self._told(entry, language) for entry in gone], "sentence": canceled}

    async def list_entries(self, arguments: _Chosen, call: ToolCall) -> Result:
        """Lists entries."""
        language, kind = arguments.language_of(call), _KINDS[arguments.kind]
        found = self._found(kind, arguments.name)
        listed = [self._told(entry, language) for entry in found]
        return {"entries": listed, "sentence": overview(found, self.schedule, language, kind)}

    async def snooze(self, arguments: _Snooze, call: ToolCall) -> Result:
        """Snoozes the ringing alarms. The new alarms are on disk before the ringing stops."""
        language = arguments.language_of(call)
        ringing = list(self.announcer.ringing)
        if not ringing:
            raise ScheduleError("nothing_rings", language=language)
        time = self.schedule.elapsed(arguments.delay_s)
        later = [Entry(EntryKind.ALARM, one.text, one.language, time, one.origin) for one in ringing]
        added = [await asyncio.to_thread(self.schedule.add, entry) for entry in later]
        self.announcer.stop_ringing()
        when = due_time(added[0], self.schedule, language)
        return {"sentence": schedule_phrases(language).snoozed.format(when=when)}

    async def _add(self, kind: EntryKind, text: str, time: Any, language: str, call: ToolCall) -> Result:
        entry = Entry(kind, text, language, time, written(remembered(read(call.origin))))
        stored = await asyncio.to_thread(self.schedule.add, entry)
        return {**self._told(stored, language), "sentence": confirmation(stored, self.schedule, language)}

    def _found(self, kind: EntryKind | None, name: str) -> list[Entry]:
        return matching(self.schedule.entries(), kind, name)

    def _only(self, found: Sequence[Entry], language: str) -> Entry:
        if len(found) > 1:
            raise ScheduleError("unclear", {"items": timed_items(found, self.schedule, language)}, language=language)
        return found[0]

    def _told(self, entry: Entry, language: str) -> dict[str, Any]:
        """Describes an entry for a model."""
        told = {
            "id": entry.identity,
            "kind": kind_name(entry.kind),
            "text": entry.text,
            "due": due_time(entry, self.schedule, language),
            "origin": entry.origin,
        }
        return told | {"left_s": round(self.schedule.time_left(entry))}


def _tool(
    name: str, description: str, arguments: type[SpokenArgumentsT], run: Run[SpokenArgumentsT]
) -> OwnTool[SpokenArgumentsT]:
    return OwnTool(name, description, arguments, in_language(run), specialist=_SPECIALIST, origin=_origin)


def _origin(result: Result) -> str:
    """Returns the provenance labels of the texts in a result."""
    entries = [result, *result.get("entries", ()), *result.get("canceled", ())]
    return written({label for entry in entries for label in read(entry.get("origin", ""))})
