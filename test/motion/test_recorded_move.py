import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.robot.coordinates import coordinates


def pitching(times: list[float], pitches: list[float]) -> RecordedMove:
    values = np.zeros((len(pitches), 9))
    values[:, 4] = pitches
    return RecordedMove("test", np.array(times), values)


@pytest.mark.slow
@given(st.lists(st.floats(-0.6, 0.6), min_size=2, max_size=8))
def test_it_passes_through_every_posture_and_overshoots_none(pitches: list[float]) -> None:
    times = [float(index) for index in range(len(pitches))]
    move = pitching(times, pitches)
    for time, pitch in zip(times, pitches, strict=True):
        assert coordinates(move.at(time))[4] == pytest.approx(pitch, abs=1e-9)
    for index in range(len(pitches) - 1):
        between = [coordinates(move.at(index + phase))[4] for phase in np.linspace(0.0, 1.0, 9)]
        assert min(pitches[index : index + 2]) - 1e-9 <= min(between)
        assert max(between) <= max(pitches[index : index + 2]) + 1e-9


def test_it_starts_and_ends_at_rest_and_stays_there() -> None:
    move = pitching([0.0, 1.0, 2.0], [0.0, 0.3, 0.6])
    assert coordinates(move.at(1e-4))[4] == pytest.approx(0.0, abs=1e-6)
    assert np.allclose(coordinates(move.at(99.0)), coordinates(move.at(2.0)))
    assert np.allclose(coordinates(move.at(-1.0)), coordinates(move.at(0.0)))
