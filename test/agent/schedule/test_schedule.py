import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from reachy_agent_ros.agent.schedule.entry import Entry, EntryKind, Firing
from reachy_agent_ros.agent.schedule.schedule import MOST_ENTRIES, Schedule
from reachy_agent_ros.agent.schedule.schedule_phrases import ScheduleError
from reachy_agent_ros.agent.schedule.wall_time import WallTime, repeated
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.simulated_clocks import SimulatedClocks

Open = Callable[[], Schedule]


def timer(schedule: Schedule, seconds: float, name: str = "") -> Entry:
    return schedule.add(Entry(EntryKind.TIMER, name, "en", schedule.elapsed(seconds)))


def alarm(schedule: Schedule, local: str, rrule: str = "", zone: str = "Europe/Berlin") -> Entry:
    time = repeated(datetime.fromisoformat(local), zone, rrule)
    return schedule.add(Entry(EntryKind.ALARM, "", "en", time))


def fired(schedule: Schedule) -> list[int]:
    return [firing.entry.identity for firing in schedule.fire()]


def test_timer_fires_when_its_time_has_passed(schedule: Schedule, clocks: SimulatedClocks) -> None:
    entry = timer(schedule, 600.0)
    clocks.advance(599.0)
    assert fired(schedule) == []
    clocks.advance(1.0)
    assert fired(schedule) == [entry.identity]
    assert fired(schedule) == []
    assert schedule.entries() == []


def test_entry_survives_restart(opened: Open, clocks: SimulatedClocks) -> None:
    entry = timer(opened(), 600.0, "pasta")
    clocks.advance(300.0)
    assert opened().entries() == [entry]


def test_timer_that_was_due_while_process_was_off_fires_at_start(opened: Open, clocks: SimulatedClocks) -> None:
    entry = timer(opened(), 600.0)
    clocks.advance(3600.0)
    (firing,) = opened().fire()
    assert firing.entry.identity == entry.identity
    assert firing.lateness == pytest.approx(3000.0)


def test_timer_continues_after_reboot(opened: Open, clocks: SimulatedClocks) -> None:
    timer(opened(), 600.0)
    clocks.reboot(400.0)
    schedule = opened()
    assert schedule.time_left(schedule.entries()[0]) == pytest.approx(200.0)


def test_timer_does_not_end_early_if_clock_is_not_set_after_reboot(opened: Open, clocks: SimulatedClocks) -> None:
    timer(opened(), 600.0)
    clocks.reboot(-1e9)
    schedule = opened()
    assert schedule.time_left(schedule.entries()[0]) == pytest.approx(600.0)


@pytest.mark.parametrize("jump", [86400.0, -86400.0])
def test_timer_ignores_jump_of_wall_clock(schedule: Schedule, clocks: SimulatedClocks, jump: float) -> None:
    entry = timer(schedule, 600.0)
    clocks.wall += jump
    assert fired(schedule) == []
    clocks.advance(600.0)
    assert fired(schedule) == [entry.identity]


def test_timer_keeps_its_time_after_jump_and_reboot(opened: Open, clocks: SimulatedClocks) -> None:
    schedule = opened()
    timer(schedule, 600.0)
    clocks.wall += 86400.0
    schedule.fire()
    clocks.reboot(100.0)
    schedule = opened()
    assert schedule.time_left(schedule.entries()[0]) == pytest.approx(500.0)


def test_alarm_fires_after_clock_jumps_over_it(schedule: Schedule, clocks: SimulatedClocks) -> None:
    entry = alarm(schedule, "2026-12-01 07:00")
    clocks.wall += 86400.0
    (firing,) = schedule.fire()
    assert firing.entry.identity == entry.identity
    assert firing.lateness == pytest.approx(5 * 3600.0)


def test_daily_alarm_does_not_repeat_after_clock_jumps_back(schedule: Schedule, clocks: SimulatedClocks) -> None:
    alarm(schedule, "2026-12-01 07:00", "FREQ=DAILY")
    clocks.advance_to("2026-12-01 07:00")
    assert len(schedule.fire()) == 1
    clocks.wall -= 86400.0
    clocks.advance(86400.0)
    assert schedule.fire() == []
    clocks.advance(86400.0)
    assert len(schedule.fire()) == 1


def test_missed_repetitions_fire_once(opened: Open, clocks: SimulatedClocks) -> None:
    alarm(opened(), "2026-12-01 07:00", "FREQ=DAILY")
    clocks.reboot(10 * 86400.0)
    schedule = opened()
    (firing,) = schedule.fire()
    assert firing.skipped == 9
    assert schedule.fire() == []
    assert isinstance(schedule.entries()[0].time, WallTime)
    assert schedule.entries()[0].wall_due > clocks.wall


def test_alarms_wait_until_clock_is_set(opened: Open, clocks: SimulatedClocks) -> None:
    entry = alarm(opened(), "2026-12-01 07:00")
    clocks.reboot(-1e9)
    schedule = opened()
    assert schedule.fire() == []
    assert "Alarms wait" in schedule.clock_problem
    with pytest.raises(ScheduleError, match="my clock is not set"):
        alarm(schedule, "2026-12-01 08:00")
    clocks.wall += 1e9 + 86400.0
    assert fired(schedule) == [entry.identity]
    assert schedule.clock_problem == ""


def test_unannounced_firing_is_returned_after_restart(opened: Open, clocks: SimulatedClocks) -> None:
    schedule = opened()
    first, second = timer(schedule, 10.0), timer(schedule, 20.0)
    clocks.advance(30.0)
    firings = schedule.fire()
    schedule.announced([firing for firing in firings if firing.entry.identity == first.identity])
    clocks.advance(60.0)
    (waiting,) = opened().unannounced()
    assert waiting == Firing(second, clocks.wall)


def test_prolonged_timer_fires_later(schedule: Schedule, clocks: SimulatedClocks) -> None:
    entry = timer(schedule, 60.0)
    schedule.prolong(entry.identity, 300.0)
    clocks.advance(359.0)
    assert schedule.fire() == []
    clocks.advance(1.0)
    assert fired(schedule) == [entry.identity]


def test_rejects_shortening_timer_into_past(schedule: Schedule) -> None:
    entry = timer(schedule, 60.0)
    with pytest.raises(ScheduleError, match="duration between 1 second and 30 days"):
        schedule.prolong(entry.identity, -300.0)
    assert schedule.entries() == [entry]


def test_canceled_entry_does_not_fire(opened: Open, clocks: SimulatedClocks) -> None:
    schedule = opened()
    entry = timer(schedule, 60.0)
    assert schedule.cancel([entry.identity]) == [entry]
    clocks.advance(60.0)
    assert schedule.fire() == []
    assert opened().fire() == []


def test_cancel_rejects_unknown_entry(schedule: Schedule) -> None:
    entry = timer(schedule, 60.0)
    with pytest.raises(AgentError, match="Unknown schedule entry 99") as caught:
        schedule.cancel([entry.identity, 99])
    assert caught.value.code is ErrorCode.NOT_FOUND
    assert schedule.entries() == [entry]


@pytest.mark.parametrize("seconds", [-300.0, 0.0, 10 * 365 * 86400.0])
def test_rejects_timer_of_impossible_duration(schedule: Schedule, seconds: float) -> None:
    with pytest.raises(ScheduleError, match="I need a duration between 1 second and 30 days"):
        timer(schedule, seconds)


@pytest.mark.parametrize(
    ("local", "rrule", "message"),
    [
        ("2026-11-30 11:00", "", "has passed already"),
        ("2056-01-01 07:00", "", "next ten years"),
        ("2026-12-01 07:00", "FREQ=SECONDLY;INTERVAL=10", "at most once every 1 minute"),
    ],
)
def test_rejects_alarm_at_impossible_time(schedule: Schedule, local: str, rrule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        alarm(schedule, local, rrule)
    assert schedule.entries() == []


def test_rejects_more_entries_than_people_can_use(schedule: Schedule) -> None:
    for _ in range(MOST_ENTRIES):
        timer(schedule, 60.0)
    with pytest.raises(ScheduleError, match=f"already keep {MOST_ENTRIES}") as caught:
        timer(schedule, 60.0)
    assert caught.value.code is ErrorCode.BUDGET_EXCEEDED


def test_rejects_long_text(schedule: Schedule) -> None:
    with pytest.raises(ScheduleError, match="at most 200 characters"):
        timer(schedule, 60.0, "x" * 201)


def test_damaged_entry_is_left_out(tmp_path: Path, opened: Open) -> None:
    schedule = opened()
    timer(schedule, 60.0, "pasta")
    kept = timer(schedule, 60.0, "eggs")
    with closing(sqlite3.connect(tmp_path / "schedule.sqlite3", isolation_level=None)) as connection:
        connection.execute("UPDATE entries SET entry = replace(entry, 'pasta', 'pesto')")
    again = opened()
    assert again.entries() == [kept]
    assert "entry 1" in again.damage
