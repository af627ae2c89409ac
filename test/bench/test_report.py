from __future__ import annotations

import pytest

from bench.report import percentile


@pytest.mark.parametrize(
    ("count", "percent", "expected"),
    [(1, 50, 1), (2, 50, 1), (3, 50, 2), (20, 95, 19), (21, 95, 20), (100, 7, 7), (10, 0, 1), (10, 100, 10)],
)
def test_percentile_is_nearest_rank(count: int, percent: float, expected: float) -> None:
    assert percentile(range(count, 0, -1), percent) == expected
