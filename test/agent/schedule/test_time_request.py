from contextlib import suppress
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reachy_agent_ros.agent.schedule.entry import ElapsedTime
from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.schedule_phrases import ScheduleError
from reachy_agent_ros.agent.schedule.time_request import read_request
from reachy_agent_ros.agent.schedule.wall_time import WallTime


@pytest.mark.parametrize(
    ("text", "language", "local"),
    [
        ("7 am", "en", "2026-12-01 07:00"),
        ("seven thirty tomorrow", "en", "2026-12-01 07:30"),
        ("16:30", "", "2026-11-30 16:30"),
        ("sieben Uhr", "de", "2026-11-30 19:00"),
        ("7 heures", "fr", "2026-11-30 19:00"),
        ("las 7", "es", "2026-11-30 19:00"),
        ("6:30 di domani", "it", "2026-12-01 06:30"),
        ("7", "pt", "2026-11-30 19:00"),
        ("March 28 at 2:30 am", "en", "2027-03-28 02:30"),
    ],
)
def test_reads_time_of_day_as_templates_pass_it_on(schedule: Schedule, text: str, language: str, local: str) -> None:
    request = read_request(text, language, schedule, is_clock=True)
    assert request.time == WallTime(datetime.fromisoformat(local), "Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "language", "rest"),
    [
        ("tomorrow at 8 am to call mom", "en", "call mom"),
        ("call mom tomorrow at 8 am", "en", "call mom"),
        ("daran, morgen um 8 Uhr Oma anzurufen", "de", "Oma anzurufen"),
        ("sacar al perro mañana a las 8", "es", "sacar al perro"),
    ],
)
def test_separates_time_from_text_of_reminder(schedule: Schedule, text: str, language: str, rest: str) -> None:
    request = read_request(text, language, schedule)
    assert request.rest == rest
    assert request.time == WallTime(datetime(2026, 12, 1, 8), "Europe/Berlin")


def test_reads_recurrence(schedule: Schedule) -> None:
    request = read_request("every weekday at nine to water the plants", "en", schedule)
    assert request.time == WallTime(datetime(2026, 12, 1, 9), "Europe/Berlin", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    assert request.rest == "water the plants"


def test_distance_in_minutes_is_elapsed_time(schedule: Schedule) -> None:
    time = read_request("in 20 minutes", "en", schedule).time
    assert isinstance(time, ElapsedTime)
    assert time.duration == 1200.0


def test_finds_language_of_text(schedule: Schedule) -> None:
    assert read_request("morgen um 8 Uhr", "", schedule).language == "de"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("banana", "I need to know when"),
        ("tomorrow", "I also need a time of day"),
        ("at 25:00", "I know no such time"),
    ],
)
def test_rejects_text_without_usable_time(schedule: Schedule, text: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        read_request(text, "en", schedule, is_clock=True)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60), language=st.sampled_from(["", "en", "de", "fr", "es", "it", "pt"]))
def test_any_text_gives_time_or_spoken_error(schedule: Schedule, text: str, language: str) -> None:
    with suppress(ScheduleError):
        assert read_request(text, language, schedule, is_clock=True).time.wall_due > 0.0
