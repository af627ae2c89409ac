import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pace import Pace

PERIOD = 0.05


def times(steps: list[float]) -> int:
    """How often it is due when it is asked after each step, s."""
    now = 0.0
    pace, found = Pace(PERIOD, lambda: now), 0
    for step in steps:
        now += step
        found += pace.is_due()
    return found


@given(st.lists(st.floats(0.0, 0.5), max_size=100))
def test_it_is_never_done_more_often(steps: list[float]) -> None:
    assert times(steps) <= sum(steps) / PERIOD + 2.001


@pytest.mark.parametrize("step", [0.001, 0.03, 0.049])
def test_who_asks_between_two_times_does_not_slow_it_down(step: float) -> None:
    steps = [step] * round(10.0 / step)
    assert times(steps) == pytest.approx(10.0 / PERIOD, abs=2)


def test_what_was_missed_is_not_made_up_for() -> None:
    assert times([0.0, 100.0, 0.001, 0.001, 0.001]) <= 3
