from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.motion.drowsiness import Alertness, Drowsiness, Liveliness

LIFE = Liveliness(sleepy_after=100.0, asleep_after=300.0)
BEGIN = 1000.0


def alertness(passed: float, life: Liveliness = LIFE) -> Alertness:
    drowsiness = Drowsiness()
    drowsiness.alertness(life, BEGIN)
    return drowsiness.alertness(life, BEGIN + passed)


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        (0.0, Alertness.AWAKE),
        (99.0, Alertness.AWAKE),
        (100.0, Alertness.SLEEPY),
        (299.0, Alertness.SLEEPY),
        (300.0, Alertness.ASLEEP),
        (1e6, Alertness.ASLEEP),
    ],
)
def test_alertness_depends_on_time_without_use(passed: float, expected: Alertness) -> None:
    assert alertness(passed) is expected


@pytest.mark.parametrize(
    ("life", "expected"),
    [
        (Liveliness(sleepy_after=0.0, asleep_after=0.0), Alertness.AWAKE),
        (Liveliness(sleepy_after=10.0, asleep_after=0.0), Alertness.SLEEPY),
        (Liveliness(sleepy_after=0.0, asleep_after=10.0), Alertness.ASLEEP),
        (Liveliness(intensity=0.0), Alertness.AWAKE),
    ],
)
def test_zero_disables_sleepiness_sleep_or_both(life: Liveliness, expected: Alertness) -> None:
    assert alertness(1e6, life) is expected


def test_woken_robot_is_awake_for_whole_period() -> None:
    drowsiness = Drowsiness()
    drowsiness.alertness(LIFE, BEGIN)
    assert drowsiness.alertness(LIFE, BEGIN + 400.0) is Alertness.ASLEEP
    drowsiness.wake()
    assert drowsiness.alertness(LIFE, BEGIN + 400.0) is Alertness.AWAKE
    assert drowsiness.alertness(LIFE, BEGIN + 499.0) is Alertness.AWAKE
    assert drowsiness.alertness(LIFE, BEGIN + 500.0) is Alertness.SLEEPY


@given(st.lists(st.floats(0.0, 2000.0), min_size=2), st.floats(0.0, 1000.0), st.floats(0.0, 1000.0))
def test_unused_robot_droops_further_and_further(times: list[float], sleepy_after: float, asleep_after: float) -> None:
    life = Liveliness(sleepy_after=sleepy_after, asleep_after=asleep_after)
    drowsiness = Drowsiness()
    drowsiness.alertness(life, BEGIN)
    droops = [drowsiness.droop(life, BEGIN + time) for time in sorted(times)]
    assert droops == sorted(droops)
    assert all(0.0 <= droop < 0.5 for droop in droops)
