"""Kills the schedule over a simulated year, and counts lost and repeated timers (`scripts/chaos schedule`).

A process lives through simulated time: it adds timers, alarms and reminders, and announces what is due. It is killed at
random moments, also within a transaction. The next process starts at once, after some hours off, or after a reboot. The
wall clock jumps by up to a day, and alarms are due in hours that clock changes skip or repeat.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TextIO

from bench.report import Figure, print_report
from reachy_agent_ros.agent.schedule.entry import Entry, EntryKind, Firing
from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.schedule_store import ScheduleStore
from reachy_agent_ros.agent.schedule.wall_time import WallTime
from reachy_agent_ros.agent.toolbox.clock import time_zone
from support.agent.simulated_clocks import SimulatedClocks

TIMERS = 10_000
KILLS = 200
START = "2026-06-01 12:00"
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo")
DAILY = "FREQ=DAILY"

_DAY = 86400.0
_LONGEST = 3 * _DAY
_PAUSE = 1500.0
"""Mean time between two steps of a process, s. At every other step, it adds a timer."""
_JUMPS = 0.005
"""Share of the steps at which the wall clock jumps."""
_MOST_OFF = 20 * 3600.0
_LONGEST_DELAY = 0.01
"""Maximum time between a message and the kill, s: about the duration of two transactions."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the seed, the timers and the kills."""
    parser.add_argument("--seed", type=int, default=1, help="seed of the random moments (default: %(default)s)")
    parser.add_argument("--timers", type=int, default=TIMERS, help="number of timers (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=KILLS, help="number of kills (default: %(default)s)")


def main(as_json: bool, seed: int = 1, timers: int = TIMERS, kills: int = KILLS) -> int:
    """Simulates the year, and prints what was lost or repeated."""
    logging.disable(logging.WARNING)  # of hundreds of jumps
    with tempfile.TemporaryDirectory() as scratch:
        year = simulated_year(Path(scratch), seed, timers, kills)
    figures = [
        Figure("kills", year.kills, "", float(kills), at_least=True),
        Figure("confirmed timers, alarms and reminders", len(year.confirmed), "", float(timers), at_least=True),
        Figure("lost", len(year.lost), "", 0.0),
        Figure("recorded as fired more than once", year.repeated, "", 0.0),
        Figure("repetitions of daily alarms, missing or additional", year.wrong_repetitions, "", 0.0),
        Figure("spoken twice without a kill while speaking", len(year.spoken_twice - year.interrupted), "", 0.0),
        Figure("spoken twice", len(year.spoken_twice), "", float(kills)),
    ]
    print_report("schedule", figures, as_json)
    return 0


@dataclass
class Year:
    """Observations of a simulated year. An announcement is identified by the number of its entry and its due time.

    Attributes:
        kills: Number of kills.
        confirmed: Numbers of the entries that a process confirmed, without those that recur.
        recurring: Numbers of the daily alarms, with the local time and the zone of the first occurrence.
        records: Number of skipped repetitions of each record, by the number of the entry and its due time.
        spoken: Number of times that each announcement was spoken.
        interrupted: Announcements during which a process was killed.
        ended: Latest wall clock time, s since the epoch.
    """

    kills: int = 0
    confirmed: set[int] = field(default_factory=set)
    recurring: dict[int, tuple[str, str]] = field(default_factory=dict)
    records: dict[tuple[int, float], int] = field(default_factory=dict)
    spoken: Counter[tuple[int, float]] = field(default_factory=Counter)
    interrupted: set[tuple[int, float]] = field(default_factory=set)
    ended: float = 0.0

    @property
    def lost(self) -> set[int]:
        """Confirmed entries that were not recorded as fired, or whose announcement was not spoken."""
        spoken, recorded = ({identity for identity, _ in keys} for keys in (self.spoken, self.records))
        return self.confirmed - (spoken & recorded)

    @property
    def repeated(self) -> int:
        """Number of entries that were recorded more than once, without those that recur."""
        recorded = Counter(identity for identity, _ in self.records)
        return sum(count > 1 for identity, count in recorded.items() if identity not in self.recurring)

    @property
    def wrong_repetitions(self) -> int:
        """Number of occurrences of daily alarms that are missing or additional."""
        repetitions: Counter[int] = Counter()
        for (identity, _), skipped in self.records.items():
            repetitions[identity] += 1 + skipped
        return sum(
            abs(repetitions[identity] - _days(datetime.fromisoformat(local), zone, self.ended))
            for identity, (local, zone) in self.recurring.items()
        )

    @property
    def spoken_twice(self) -> set[tuple[int, float]]:
        """Announcements that were spoken more than once."""
        return {key for key, count in self.spoken.items() if count > 1}


def simulated_year(folder: Path, seed: int, timers: int, kills: int) -> Year:
    """Runs processes one after the other until all timers were added and announced.

    Args:
        folder: Empty folder for the database.
        seed: Seed of the random moments.
        timers: Number of timers, alarms and reminders.
        kills: Number of kills.
    """
    random_moments = random.Random(seed)
    year, clocks = Year(), SimulatedClocks.at(START)
    life = _Life(folder / "schedule.sqlite3", year, clocks, timers)
    while True:
        kill_after = random_moments.randrange(2, max(3, 8 * timers // max(1, kills))) if year.kills < kills else None
        life.read_records()  # the next process deletes old ones
        if life.run(random_moments.randrange(1 << 30), kill_after, random_moments.uniform(0.0, _LONGEST_DELAY)):
            break
        match random_moments.randrange(3):
            case 0:
                clocks.advance(random_moments.uniform(0.0, _MOST_OFF))
            case 1:
                clocks.reboot(random_moments.uniform(0.0, _MOST_OFF))
    life.read_records()
    return year


@dataclass
class _Life:
    """Life of the robot, which consists of several processes.

    Attributes:
        path: Database of the schedule.
        year: Receives the observations.
        clocks: Simulated clocks.
        timers: Number of timers to add.
    """

    path: Path
    year: Year
    clocks: SimulatedClocks
    timers: int

    def run(self, seed: int, kill_after: int | None, delay: float) -> bool:
        """Runs a process. Kills it a moment (s) after a number of messages, if that is not None.

        Returns:
            Whether the process came to its end, because everything was announced.
        """
        readable, writable = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(readable)
            with os.fdopen(writable, "w", buffering=1) as output:
                recurring = len(self.year.recurring)
                _Process(self.path, self.clocks, random.Random(seed), self._left, recurring, output).live()
            os._exit(0)
        os.close(writable)
        speaking: set[tuple[int, float]] = set()
        with os.fdopen(readable) as messages:
            for number, message in enumerate(messages):
                self._hear(json.loads(message), speaking)
                if number == kill_after:
                    time.sleep(delay)
                    os.kill(process, signal.SIGKILL)
                    kill_after = None
                    self.year.kills += 1
        _, status = os.waitpid(process, 0)
        self.year.interrupted |= speaking
        if status not in (0, signal.SIGKILL):
            raise RuntimeError(f"A process of the schedule failed with status {status}.")
        return status == 0

    @property
    def _left(self) -> int:
        return self.timers - len(self.year.confirmed)

    def _hear(self, message: list[object], speaking: set[tuple[int, float]]) -> None:
        match message:
            case ["time", float(wall), float(boot)]:
                self.clocks.wall, self.clocks.boot = wall, boot
                self.year.ended = max(self.year.ended, wall)
            case ["added", int(identity)]:
                self.year.confirmed.add(identity)
            case ["recurs", int(identity), str(local), str(zone)]:
                self.year.recurring[identity] = (local, zone)
            case ["speaks", int(identity), float(due)]:
                self.year.spoken[identity, due] += 1
                speaking.add((identity, due))
            case ["spoke", int(identity), float(due)]:
                speaking.discard((identity, due))

    def read_records(self) -> None:
        """Reads the records of the database."""
        with closing(ScheduleStore(self.path)) as store:
            self.year.records |= {(identity, due): skipped for identity, due, skipped in store.records()}


@dataclass
class _Process:
    """One process, from its start to its end or its kill.

    Attributes:
        path: Database of the schedule.
        clocks: Simulated clocks.
        moments: Random moments and times.
        left: Number of timers to add.
        recurring: Number of daily alarms that exist.
        output: Receives the messages.
    """

    path: Path
    clocks: SimulatedClocks
    moments: random.Random
    left: int
    recurring: int
    output: TextIO

    def live(self) -> None:
        """Adds timers and announces what is due, until only the daily alarms are left."""
        schedule = Schedule(ScheduleStore(self.path), self.clocks.clocks())
        self._tell("time", self.clocks.wall, self.clocks.boot)
        self._announce(schedule, schedule.unannounced())
        while self.left or len(schedule.entries()) > len(ZONES):
            self._announce(schedule, schedule.fire())
            if self.recurring < len(ZONES):
                self._add_daily(schedule, ZONES[self.recurring])
            elif self.left and self.moments.random() < 0.5:
                self._add(schedule)
            if self.moments.random() < _JUMPS:
                self.clocks.wall += self.moments.uniform(-_DAY, _DAY)
            self._wait(schedule)
        self._announce(schedule, schedule.fire())

    def _wait(self, schedule: Schedule) -> None:
        """Lets time pass until something is due, or until the next timer is added."""
        due = [schedule.time_left(entry) for entry in schedule.entries()[:1]]
        pause = self.moments.expovariate(1.0 / _PAUSE) if self.left else _DAY
        self.clocks.advance(max(0.0, min([pause, *due])))
        self._tell("time", self.clocks.wall, self.clocks.boot)

    def _announce(self, schedule: Schedule, firings: Sequence[Firing]) -> None:
        for firing in firings:
            key = (firing.entry.identity, firing.entry.wall_due)
            self._tell("speaks", *key)
            schedule.announced([firing])
            self._tell("spoke", *key)

    def _add(self, schedule: Schedule) -> None:
        seconds = self.moments.uniform(1.0, _LONGEST)
        if self.moments.random() < 0.5:
            entry = Entry(EntryKind.TIMER, "", "en", schedule.elapsed(seconds))
        else:
            zone = self.moments.choice(ZONES)
            local = datetime.fromtimestamp(self.clocks.wall + seconds + _DAY, time_zone(zone)).replace(tzinfo=None)
            if self.moments.random() < 0.5:  # hours that clock changes skip or repeat
                local = local.replace(hour=self.moments.randrange(1, 4))
            entry = Entry(EntryKind.REMINDER, "", "en", WallTime(local, zone))
        self._tell("added", schedule.add(entry).identity)
        self.left -= 1

    def _add_daily(self, schedule: Schedule, zone: str) -> None:
        now = datetime.fromtimestamp(self.clocks.wall, time_zone(zone))
        local = datetime.combine(now.date() + timedelta(days=2), datetime.min.time()).replace(hour=2, minute=30)
        entry = schedule.add(Entry(EntryKind.ALARM, "", "en", WallTime(local, zone, DAILY)))
        self._tell("recurs", entry.identity, local.isoformat(), zone)
        self.recurring += 1

    def _tell(self, *message: object) -> None:
        self.output.write(f"{json.dumps(message)}\n")


def _days(local: datetime, zone: str, ended: float) -> int:
    """Returns the number of days on which a daily alarm was due, up to a time (s since the epoch)."""
    days = 0
    while WallTime(local + timedelta(days=days), zone).wall_due <= ended:
        days += 1
    return days
