"""Entries of the schedule: timers, alarms and reminders, with the time when each is due."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.agent.schedule.wall_time import WallTime

LONGEST_TEXT = 200
"""Maximum length of a name or of the text of a reminder, characters. The robot speaks it."""


class EntryKind(IntEnum):
    """Kind of an entry. Mirrors the constants of the message `ScheduleEntry`."""

    TIMER = 0
    """Announced once, after a duration."""
    ALARM = 1
    """Rings until it is stopped or snoozed."""
    REMINDER = 2
    """Announced once, with its text."""


@dataclass(frozen=True)
class ElapsedTime:
    """Time of an entry that is due after a duration, whatever happens to the wall clock.

    The boot clock cannot be compared between two boots. After a reboot, the wall clock tells how much time is left.

    Attributes:
        duration: Duration that the person asked for, with later changes, s.
        due: Time on the boot clock when the entry is due, s.
        boot: Id of the boot to which `due` belongs.
        wall_due: Wall clock time when the entry is due, s since the epoch.
    """

    duration: float
    due: float
    boot: str
    wall_due: float


@dataclass(frozen=True)
class Entry:
    """Timer, alarm or reminder.

    Attributes:
        kind: Kind of the entry.
        text: Name of a timer or alarm, or what to remind of; may be empty.
        language: ISO 639-1 code of the language of the announcement.
        time: When the entry is due.
        origin: Provenance labels of the text, in one line; empty if a person said it.
        identity: Number of the entry in the store, 0 before it is stored.
    """

    kind: EntryKind
    text: str
    language: str
    time: ElapsedTime | WallTime
    origin: str = ""
    identity: int = 0

    @property
    def wall_due(self) -> float:
        """Wall clock time when the entry is due, s since the epoch."""
        return self.time.wall_due


@dataclass(frozen=True)
class Firing:
    """Record that an entry was due. It is on disk before the announcement.

    Attributes:
        entry: Entry as it was when it was due.
        fired: Wall clock time at which the robot noticed it, s since the epoch.
        skipped: Number of earlier repetitions that were due while the robot was off and are not announced separately.
    """

    entry: Entry
    fired: float
    skipped: int = 0

    @property
    def lateness(self) -> float:
        """Time between the due time and the firing, s."""
        return self.fired - self.entry.wall_due
