"""Schedule of the agent: timers, alarms and reminders."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, Field, StringConstraints

from reachy_agent_ros.agent.schedule.entry import LONGEST_TEXT, EntryKind

KindName = Literal["timer", "alarm", "reminder"]

KINDS: dict[KindName, EntryKind] = {
    "timer": EntryKind.TIMER,
    "alarm": EntryKind.ALARM,
    "reminder": EntryKind.REMINDER,
}

_LONGEST_TIME = 200
"""Maximum length of a time in words, characters."""


class ScheduleEntryData(BaseModel):
    """Timer, alarm or reminder."""

    id: int = Field(description="Id of the entry, for canceling it.")
    kind: int = Field(description="Kind: 0 timer, 1 alarm, 2 reminder.")
    text: str = Field(description="Name of a timer or alarm, or what to remind of; may be empty.")
    language: str = Field(description="ISO 639-1 code of the language of the announcement.")
    due: float = Field(description="Time of the next announcement, seconds since the epoch.")
    duration: float = Field(description="Duration after which the entry is due, s; 0: due at a time of day.")
    time_zone: str = Field(description="IANA time zone of an entry that is due at a time of day; otherwise empty.")
    rrule: str = Field(description="Recurrence, an RRULE of RFC 5545; empty: once.")
    ringing: bool = Field(description="Whether the entry rings now.")


class ScheduleAnswer(BaseModel):
    """All timers, alarms and reminders."""

    entries: list[ScheduleEntryData] = Field(description="Ringing entries, then pending ones in order of their time.")


class ScheduleRequest(BaseModel):
    """Timer, alarm or reminder to add."""

    kind: KindName
    time: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=_LONGEST_TIME)] = Field(
        description='Time in words: "ten minutes", "tomorrow at 7:30 am", "every weekday at nine".'
    )
    text: str = Field("", max_length=LONGEST_TEXT, description="Name, or what to remind of, which a reminder requires.")
    language: str = Field(
        "", max_length=2, description="ISO 639-1 code of the language of `time` and of the announcement; empty: any."
    )


class ScheduleService(Protocol):
    """Service for the agent's schedule. Every method raises `AgentError`."""

    async def entries(self) -> ScheduleAnswer:
        """Returns the ringing and the pending entries."""

    async def add(self, request: ScheduleRequest) -> ScheduleEntryData:
        """Adds an entry, which is on disk when this returns. Raises `INVALID_ARGUMENTS` for an unusable time."""

    async def cancel(self, identity: int) -> None:
        """Cancels an entry with its repetitions, and ends its ringing. Raises `NOT_FOUND`."""
