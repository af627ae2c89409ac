from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.learning.evaluation.summary import mean, share, tenth


def test_proportion_has_wilson_confidence_interval() -> None:
    found = share(8, 10)  # 0.490 to 0.943: Newcombe 1998, method 3
    assert (found.value, found.low, found.high) == pytest.approx((0.8, 0.490, 0.943), abs=5e-4)


@given(st.integers(1, 500).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count))))
def test_confidence_interval_of_proportion_contains_proportion_and_stays_within_0_and_1(
    counted: tuple[int, int],
) -> None:
    found = share(*counted)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert found.high - found.low > 0.0


def test_confidence_interval_has_nonzero_width_if_all_episodes_succeed() -> None:
    assert share(100, 100).low == pytest.approx(0.963, abs=5e-4)


def test_confidence_interval_of_mean_contains_mean_and_is_deterministic() -> None:
    found = mean([1.0, 2.0, 3.0, 4.0, 10.0])
    assert found.low < found.value == 4.0 < found.high
    assert found == mean([1.0, 2.0, 3.0, 4.0, 10.0])


def test_tenth_percentile_is_a_value_of_the_data() -> None:
    assert tenth([float(value) for value in range(20)]) == 1.0
    assert tenth([7.0]) == 7.0
