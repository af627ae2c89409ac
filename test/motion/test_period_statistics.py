import pytest

from reachy_agent_ros.motion.period_statistics import PeriodStatistics


def test_nothing_seen_is_nothing_late() -> None:
    assert PeriodStatistics(0.01).punctuality().worst == 0.0


def test_it_tells_the_usual_from_the_worst() -> None:
    statistics = PeriodStatistics(0.01)
    for _ in range(99):
        statistics.add(0.011)
    statistics.add(0.03)
    late = statistics.punctuality()
    assert (late.p50, late.worst) == pytest.approx((0.001, 0.02))


def test_only_the_window_counts() -> None:
    statistics = PeriodStatistics(0.01, window=10)
    for period in [0.5] * 10 + [0.01] * 10:
        statistics.add(period)
    assert statistics.punctuality().worst == 0.0
    assert statistics.count == 20
