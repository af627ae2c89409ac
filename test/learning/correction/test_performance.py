import math

import pytest

from reachy_agent_ros.learning.correction.performance import GazeDistance


@pytest.mark.parametrize(
    ("told", "known"), [(None, 1.0), (0.5, 0.5), (0.01, 0.2), (80.0, 3.0), (math.nan, 1.0), (math.inf, 1.0)]
)
def test_gaze_distance_is_limited_and_defaults_to_one_meter(told: float | None, known: float) -> None:
    looked_at = GazeDistance()
    assert looked_at.distance == 1.0
    looked_at.note(2.0)
    looked_at.note(told)
    assert looked_at.distance == known


def test_gaze_distance_returns_to_default_after_expiry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reachy_agent_ros.learning.correction.performance._KEPT", 0.0)
    looked_at = GazeDistance()
    looked_at.note(2.0)
    assert looked_at.distance == 1.0
