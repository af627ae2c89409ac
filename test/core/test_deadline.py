import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.deadline import LONGEST_DURATION, Deadline, Pace, duration
from support.waiting import wait_until

PERIOD = 0.05


def test_deadline_in_the_future_has_remaining_time() -> None:
    deadline = Deadline(60.0)
    assert 0.0 < deadline.remaining <= 60.0
    assert not deadline.passed


def test_remaining_time_of_deadline_never_grows() -> None:
    deadline = Deadline(60.0)
    samples = [deadline.remaining for _ in range(100)]
    assert samples == sorted(samples, reverse=True)


def test_expired_deadline_stays_expired() -> None:
    deadline = Deadline(0.02)
    wait_until(lambda: deadline.passed, "the deadline")
    assert deadline.remaining == 0.0


def test_deadline_in_the_past_is_expired() -> None:
    assert Deadline(-1.0).passed
    assert Deadline(-1.0).remaining == 0.0


def times(steps: list[float]) -> int:
    """Counts how often `Pace.is_due` returns True. The argument contains the time (s) between the calls."""
    now = 0.0
    pace, found = Pace(PERIOD, lambda: now), 0
    for step in steps:
        now += step
        found += pace.is_due()
    return found


@given(st.lists(st.floats(0.0, 0.5), max_size=100))
def test_pace_never_exceeds_rate(steps: list[float]) -> None:
    assert times(steps) <= sum(steps) / PERIOD + 2.001


@pytest.mark.parametrize("step", [0.001, 0.03, 0.049])
def test_early_checks_do_not_slow_pace(step: float) -> None:
    steps = [step] * round(10.0 / step)
    assert times(steps) == pytest.approx(10.0 / PERIOD, abs=2)


def test_pace_does_not_make_up_for_missed_periods() -> None:
    assert times([0.0, 100.0, 0.001, 0.001, 0.001]) <= 3


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90.0), ("10m", 600.0), ("10 min", 600.0), ("1.5h", 5400.0), ("7d", 604800.0)]
)
def test_parses_durations(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "10", "0s", "-1s", "10 weeks", "nan s", "1e9s", "99999999d", "\u0661s"])
def test_rejects_invalid_duration(text: str) -> None:
    with pytest.raises(ValueError, match="invalid duration"):
        duration(text)


def read(text: str) -> float | str:
    try:
        return duration(text)
    except ValueError as error:
        return str(error)


@given(st.text() | st.from_regex(r"\A[0-9.]+ ?(s|min|d)\Z"))
def test_any_duration_text_is_parsed_within_range_or_rejected(text: str) -> None:
    found = read(text)
    assert len(found) < 120 if isinstance(found, str) else 0.0 < found <= LONGEST_DURATION
