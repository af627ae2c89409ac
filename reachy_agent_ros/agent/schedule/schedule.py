"""Schedule of timers, alarms and reminders, which decides what is due."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from reachy_agent_ros.agent.schedule.clocks import Clocks
from reachy_agent_ros.agent.schedule.entry import LONGEST_TEXT, ElapsedTime, Entry, EntryKind, Firing
from reachy_agent_ros.agent.schedule.schedule_phrases import ScheduleError
from reachy_agent_ros.agent.schedule.schedule_store import ScheduleStore
from reachy_agent_ros.agent.schedule.wall_time import WallTime, period_of
from reachy_agent_ros.core.errors import AgentError, ErrorCode

MOST_ENTRIES = 200
"""Maximum number of pending entries. A person cannot keep track of more, and a faulty program adds thousands."""

LONGEST_TIMER = 30 * 86400.0
"""Maximum duration of a timer, s. A longer duration is usually misheard; a reminder with a date has no such limit."""

SHORTEST_PERIOD = 60.0
"""Minimum time between two repetitions, s. More frequent announcements would keep the robot talking."""

FARTHEST = 10 * 366 * 86400.0
"""Maximum time until an entry is due, s."""

JUMP = 2.0
"""Minimum difference between the progress of the wall clock and of the boot clock that counts as a jump, s."""

KEPT = 30 * 86400.0
"""Time for which the record of an announcement is kept, s."""

NOTE_PERIOD = 600.0
"""Time between two notes of the wall clock, s."""

_log = logging.getLogger(__name__)


class Schedule:
    """Timers, alarms and reminders. A change is on disk before its method returns. Thread-safe.

    Timers measure elapsed time, which jumps of the wall clock do not affect. Alarms and reminders at a time of day
    follow the wall clock of their time zone.

    Args:
        store: Store of the entries.
        clocks: Clocks.
        changed: Called with all entries after a change, in the thread that made it.

    Raises:
        AgentError: `STORAGE_FAILED`, as every method that changes the schedule.
    """

    def __init__(
        self,
        store: ScheduleStore,
        clocks: Clocks | None = None,
        changed: Callable[[Sequence[Entry]], None] = lambda _entries: None,
    ) -> None:
        self.clocks = clocks or Clocks()
        self._store = store
        self._changed = changed
        self._lock = threading.RLock()
        self._offset = self._clock_offset()
        self._noted = store.last_wall()
        self._entries = {entry.identity: entry for entry in store.load()}
        store.forget(self.clocks.wall() - KEPT)
        self._resume_elapsed_times()

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return self._store.damage

    @property
    def clock_problem(self) -> str:
        """Reason why the wall clock cannot be right; empty if it may be right.

        A machine without a battery starts with a wrong clock, until it has asked a time server. Until then, alarms wait
        and timers work.
        """
        if self.clocks.wall() >= self._noted - JUMP:
            return ""
        now = f"{self.clocks.now():%Y-%m-%d %H:%M}"
        return f"The clock shows {now}, which has passed already. Alarms wait until the clock is set."

    def entries(self) -> list[Entry]:
        """Returns the pending entries, the next one first."""
        with self._lock:
            return sorted(self._entries.values(), key=lambda entry: (self.time_left(entry), entry.identity))

    def time_left(self, entry: Entry) -> float:
        """Returns the time until an entry is due, s; negative if it is overdue."""
        if isinstance(entry.time, ElapsedTime):
            return entry.time.due - self.clocks.boot()
        return entry.time.wall_due - self.clocks.wall()

    def elapsed(self, duration: float) -> ElapsedTime:
        """Returns the time that is due after a duration from now, s."""
        return ElapsedTime(
            duration, self.clocks.boot() + duration, self.clocks.boot_id(), self.clocks.wall() + duration
        )

    def add(self, entry: Entry) -> Entry:
        """Adds an entry. Returns it with its number.

        Raises:
            ScheduleError: `INVALID_ARGUMENTS`: the entry is due in the past, too late or too often, or its text is too
                long; `BUDGET_EXCEEDED`: there are too many entries.
        """
        with self._lock:
            self._check(entry)
            if len(self._entries) >= MOST_ENTRIES:
                raise ScheduleError("too_many", {"most": MOST_ENTRIES}, ErrorCode.BUDGET_EXCEEDED)
            stored = self._store.add(entry)
            self._entries[stored.identity] = stored
            self._note_wall()
        self._changed(self.entries())
        return stored

    def prolong(self, identity: int, seconds: float) -> Entry:
        """Adds time to a timer, or to another entry that measures elapsed time. Negative time shortens it.

        Raises:
            ScheduleError: `INVALID_ARGUMENTS`: the timer would be due in the past or too late.
            AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS`: the entry is due at a time of day.
        """
        with self._lock:
            entry = self._entry(identity)
            if not isinstance(entry.time, ElapsedTime):
                message = (
                    f"Entry {identity} is due at a time of day: expected a timer. Cancel the entry and add another."
                )
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
            time = entry.time
            later = replace(
                entry,
                time=replace(
                    time,
                    duration=time.duration + seconds,
                    due=time.due + seconds,
                    wall_due=time.wall_due + seconds,
                ),
            )
            self._check(later)
            self._store.replace([later])
            self._entries[identity] = later
        self._changed(self.entries())
        return later

    def cancel(self, identities: Sequence[int]) -> list[Entry]:
        """Deletes entries with all their repetitions. Returns the deleted entries.

        Raises:
            AgentError: `NOT_FOUND`: an entry does not exist. Nothing is deleted.
        """
        with self._lock:
            gone = [self._entry(identity) for identity in identities]
            self._store.remove(identities)
            for identity in identities:
                del self._entries[identity]
        self._changed(self.entries())
        return gone

    def restore(self, entries: Sequence[Entry]) -> None:
        """Puts entries back as they were, whether they have been changed or canceled since.

        Raises:
            ScheduleError: An entry cannot be added now, see `add`. Nothing is changed.
        """
        with self._lock:
            for entry in entries:
                self._check(entry)
            self._store.restore(entries)
            self._entries.update({entry.identity: entry for entry in entries})
        self._changed(self.entries())

    def unannounced(self) -> list[Firing]:
        """Returns what was due but not announced before the last process ended, the earliest first."""
        now = self.clocks.wall()
        return [replace(firing, fired=now) for firing in self._store.unannounced()]

    def fire(self) -> list[Firing]:
        """Records on disk what is due now, and returns it, the earliest first. Each occurrence is returned only once.

        Call it at least once a second; it accesses the disk only if something is due, or the wall clock has jumped.
        """
        with self._lock:
            self._follow_wall_clock()
            due = [entry for entry in self.entries() if self.time_left(entry) <= 0.0]
            if not due:
                return []
            now = self.clocks.wall()
            later = {entry.identity: _following(entry, now) for entry in due}
            firings = [Firing(entry, now, later[entry.identity][1]) for entry in due]
            following = [entry for entry, _ in later.values() if entry is not None]
            self._store.fire(firings, following)
            for entry in due:
                del self._entries[entry.identity]
            self._entries.update({entry.identity: entry for entry in following})
            self._note_wall()
        self._changed(self.entries())
        return firings

    def announced(self, firings: Sequence[Firing]) -> None:
        """Records on disk that due entries were announced."""
        self._store.announced(firings, self.clocks.wall())

    def close(self) -> None:
        """Closes the store."""
        self._store.close()

    def _entry(self, identity: int) -> Entry:
        if identity not in self._entries:
            known = ", ".join(map(str, self._entries)) or "none"
            message = f"Unknown schedule entry {identity}: expected one of {known}."
            raise AgentError(ErrorCode.NOT_FOUND, message)
        return self._entries[identity]

    def _check(self, entry: Entry) -> None:
        left = self.time_left(entry)
        if len(entry.text) > LONGEST_TEXT:
            raise ScheduleError("text_too_long", {"most": LONGEST_TEXT})
        if isinstance(entry.time, ElapsedTime):
            longest = LONGEST_TIMER if entry.kind is EntryKind.TIMER else FARTHEST
            if not 0.0 < left <= longest:
                raise ScheduleError("bad_duration", {"shortest": 1.0, "longest": longest})
            return
        if self.clock_problem:
            raise ScheduleError("clock_not_set", code=ErrorCode.INVALID_GOAL)
        if not left > 0.0:
            raise ScheduleError("in_the_past")
        if left > FARTHEST:
            raise ScheduleError("too_far")
        if period_of(entry.time) < SHORTEST_PERIOD:
            raise ScheduleError("too_often", {"shortest": SHORTEST_PERIOD})

    def _resume_elapsed_times(self) -> None:
        """Converts the due times of an earlier boot to this boot, by the wall clock.

        A wall clock that has gone back is not set yet; the latest time that was noted is then closer to the truth.
        """
        boot, wall = self.clocks.boot(), max(self.clocks.wall(), self._noted)
        changed = [
            replace(
                entry,
                time=replace(entry.time, due=boot + entry.time.wall_due - wall, boot=self.clocks.boot_id()),
            )
            for entry in self._entries.values()
            if isinstance(entry.time, ElapsedTime) and entry.time.boot != self.clocks.boot_id()
        ]
        if changed:
            self._store.replace(changed)
            self._entries.update({entry.identity: entry for entry in changed})

    def _follow_wall_clock(self) -> None:
        """Detects a jump of the wall clock, and notes the wall clock from time to time."""
        jump = self._clock_offset() - self._offset
        self._offset += jump
        if abs(jump) > JUMP:
            _log.warning("The wall clock has jumped by %.0f s. Timers continue; alarms follow the new time.", jump)
            self._move_wall_due()
            self._noted = self.clocks.wall()
            self._store.note_wall(self._noted)
        elif self.clocks.wall() > self._noted + NOTE_PERIOD:
            self._note_wall()

    def _move_wall_due(self) -> None:
        changed = [
            replace(entry, time=replace(entry.time, wall_due=entry.time.due + self._offset))
            for entry in self._entries.values()
            if isinstance(entry.time, ElapsedTime)
        ]
        self._store.replace(changed)
        self._entries.update({entry.identity: entry for entry in changed})

    def _note_wall(self) -> None:
        """Notes the wall clock, unless it cannot be right."""
        if not self.clock_problem:
            self._noted = self.clocks.wall()
            self._store.note_wall(self._noted)

    def _clock_offset(self) -> float:
        return self.clocks.wall() - self.clocks.boot()


def matching(entries: Sequence[Entry], kind: EntryKind | None, name: str) -> list[Entry]:
    """Returns the entries of a kind whose text contains a name.

    Args:
        entries: Entries.
        kind: Kind of the entries; None for any.
        name: Part of the text, in upper or lower case; empty for any text.
    """
    of_kind = [entry for entry in entries if kind in (None, entry.kind)]
    return [entry for entry in of_kind if name.casefold() in entry.text.casefold()]


def _following(entry: Entry, now: float) -> tuple[Entry | None, int]:
    """Returns the next repetition of an entry, None if there is none, and the number of skipped repetitions."""
    if not isinstance(entry.time, WallTime):
        return None, 0
    time, skipped = entry.time.following(now)
    return (None if time is None else replace(entry, time=time)), skipped
