from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.schedule.wall_time import WallTime, period_of, repeated

BERLIN = "Europe/Berlin"
DAILY = "FREQ=DAILY"


def moments(time: WallTime, count: int) -> list[str]:
    found = [time]
    while len(found) < count:
        later, _ = found[-1].following(found[-1].wall_due)
        assert later is not None
        found.append(later)
    return [f"{one.moment:%m-%d %H:%M %Z}" for one in found]


def test_daily_time_keeps_its_hour_when_clocks_go_back() -> None:
    time = WallTime(datetime(2026, 10, 24, 7, 0), BERLIN, DAILY)
    assert moments(time, 3) == ["10-24 07:00 CEST", "10-25 07:00 CET", "10-26 07:00 CET"]


def test_repeated_hour_counts_once() -> None:
    time = WallTime(datetime(2026, 10, 24, 2, 30), BERLIN, DAILY)
    assert moments(time, 3) == ["10-24 02:30 CEST", "10-25 02:30 CEST", "10-26 02:30 CET"]


def test_skipped_hour_moves_to_next_valid_one() -> None:
    time = WallTime(datetime(2027, 3, 27, 2, 30), BERLIN, DAILY)
    assert moments(time, 3) == ["03-27 02:30 CET", "03-28 03:30 CEST", "03-29 02:30 CEST"]
    skipped, _ = time.following(time.wall_due)
    assert skipped is not None
    assert skipped.is_moved
    assert not time.is_moved


def test_hourly_recurrence_ignores_clock_changes() -> None:
    time = repeated(datetime(2026, 10, 25, 0, 0), BERLIN, "FREQ=HOURLY")
    first, (second, _) = time.wall_due, time.following(time.wall_due)
    assert second is not None
    assert second.wall_due - first == 3600.0
    assert period_of(time) == 3600.0


def test_following_counts_missed_occurrences() -> None:
    time = WallTime(datetime(2026, 11, 2, 9, 0), BERLIN, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    now = datetime(2026, 11, 9, 8, 0, tzinfo=ZoneInfo(BERLIN)).timestamp()
    later, skipped = time.following(now)
    assert later is not None
    assert later.local == datetime(2026, 11, 9, 9, 0)
    assert skipped == 4


def test_single_time_has_no_following() -> None:
    assert WallTime(datetime(2026, 11, 2, 9, 0), BERLIN).following(0.0) == (None, 0)


def test_interval_of_two_weeks_is_kept() -> None:
    time = WallTime(datetime(2026, 11, 2, 9, 0), BERLIN, "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE")
    assert moments(time, 4) == ["11-02 09:00 CET", "11-04 09:00 CET", "11-16 09:00 CET", "11-18 09:00 CET"]


@given(
    start=st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)),
    zone=st.sampled_from([BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "UTC"]),
    rrule=st.sampled_from([DAILY, "FREQ=WEEKLY;BYDAY=MO,SU", "FREQ=HOURLY", "FREQ=MINUTELY;INTERVAL=7"]),
    passed=st.timedeltas(timedelta(0), timedelta(days=400)),
)
def test_following_is_first_occurrence_after_now(start: datetime, zone: str, rrule: str, passed: timedelta) -> None:
    time = repeated(start, zone, rrule)
    now = time.wall_due + passed.total_seconds()
    later, skipped = time.following(now)
    assert later is not None
    assert later.wall_due > now
    assert skipped >= 0
    assert datetime.fromtimestamp(later.wall_due, UTC) - datetime.fromtimestamp(now, UTC) <= timedelta(days=7, hours=1)


@pytest.mark.parametrize("rrule", [DAILY, "FREQ=HOURLY"])
def test_occurrences_strictly_increase_across_clock_changes(rrule: str) -> None:
    time = repeated(datetime(2027, 3, 26, 2, 30), BERLIN, rrule)
    due = [time.wall_due]
    for _ in range(60):
        following, _skipped = time.following(time.wall_due)
        assert following is not None
        time = following
        due.append(time.wall_due)
    assert due == sorted(set(due))
