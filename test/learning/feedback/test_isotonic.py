import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.learning.feedback.isotonic import fit_isotonic

POINTS = st.lists(st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.1, 10.0)), min_size=1, max_size=40)


@given(POINTS)
def test_it_never_falls_and_keeps_the_mean(points: list[tuple[float, float, float]]) -> None:
    fit = fit_isotonic(points)
    assert np.all(np.diff(fit.heights) > 0.0)
    assert np.all(np.diff(fit.positions) >= -1e-12)
    low, high = min(height for _, height, _ in points), max(height for _, height, _ in points)
    assert low - 1e-9 <= fit.at(0.0) <= fit.at(1.0) <= high + 1e-9


def test_violators_are_pooled() -> None:
    fit = fit_isotonic([(0.0, 0.1, 1.0), (0.4, 0.6, 1.0), (0.6, 0.4, 1.0), (1.0, 0.9, 1.0)])
    assert fit.heights.tolist() == pytest.approx([0.1, 0.5, 0.9])
    assert fit.at(0.5) == pytest.approx(0.5)
    assert fit.at(-1.0) == pytest.approx(0.1)
